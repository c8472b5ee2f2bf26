import type { QosPolicies, Transport, TransportWriter } from '../../../../src/ports/index.js';
import { createLabControl } from '../../../../src/lab/control/lab-control.js';
import type { LabControlEvent } from '../../../../src/lab/control/events.js';
import type {
  LabControlOptions,
  SimulatedTimeOptions,
} from '../../../../src/lab/control/options.js';
import { topics, type Topic } from '../../../../src/messages/index.js';
import { InMemoryNetwork } from '../../../support/in-memory-transport.js';
import { ManualClock } from '../manual-clock.js';

export const ms = 1_000_000n;
export const second = 1000n * ms;
/** When the clock of a test begins, ns since 1970. */
export const t = 1_700_000_000n * second;

export const reliable = { reliability: { kind: 'reliable' } } as const satisfies QosPolicies;
export const bestEffort = { reliability: { kind: 'best-effort' } } as const satisfies QosPolicies;
export const lasting = {
  ...reliable,
  durability: { kind: 'transient-local' },
} as const satisfies QosPolicies;

const opened: { close(): void }[] = [];

/** Closes the lab controls that were opened here. */
export function closeLabs(): void {
  for (const lab of opened.splice(0)) lab.close();
}

/** A network with a clock, a place for the lab control and a peer that plays everybody else. */
export function openNetwork() {
  const clock = new ManualClock(t);
  const network = new InMemoryNetwork(() => clock.nowNs());
  const events: LabControlEvent[] = [];
  const labSide = network.join();
  const options: LabControlOptions = {
    transport: labSide,
    clock,
    onEvent: (event) => events.push(event),
  };
  return {
    ...peer(network.join(), network),
    network,
    labSide,
    options,
    /** The events of one kind. */
    eventsOf: <K extends LabControlEvent['kind']>(kind: K) =>
      events.filter((event): event is Extract<LabControlEvent, { kind: K }> => event.kind === kind),
    /** Moves the clock and waits until all is delivered. */
    advance: async (byNs: bigint) => {
      clock.advanceTo(clock.nowNs() + byNs);
      await network.idle();
    },
  };
}

/** Reads and writes like a program of the lab. */
export function peer(side: Transport, network: InMemoryNetwork) {
  const writers = new Map<string, TransportWriter>();
  const send = async <T>(topic: Topic<T>, message: T, qos: QosPolicies = reliable) => {
    const writer = writers.get(topic.name) ?? side.createWriter(topic, qos);
    writers.set(topic.name, writer);
    writer.write(topic.codec.encode(message));
    await network.idle();
  };
  /** Collects what comes on a topic from now on. */
  const listen = <T>(topic: Topic<T>, qos: QosPolicies = reliable) => {
    const messages: T[] = [];
    side.createReader(topic, qos, {
      onSample: ({ bytes }) => messages.push(topic.codec.decode(bytes)),
    });
    return messages;
  };
  /** Collects the times of system triggers from now on. */
  const triggers = () => {
    const times: bigint[] = [];
    side.createReader(topics.systemTrigger, reliable, {
      onSample: ({ bytes }) =>
        times.push(topics.systemTrigger.codec.decode(bytes).next_start.nanoseconds),
    });
    return times;
  };
  const ready = (source_id: string, ns: bigint) =>
    send(topics.readyStatus, { source_id, next_start_stamp: { nanoseconds: ns } });
  return { side, send, listen, triggers, ready };
}

/** A lab control in real time. */
export function openRealTime(extra: Partial<LabControlOptions> = {}) {
  const net = openNetwork();
  const lab = createLabControl({ ...net.options, ...extra });
  opened.push(lab);
  return { ...net, lab };
}

/** A lab control in simulated time. */
export function openSimulatedTime(simulatedTime: SimulatedTimeOptions = {}) {
  const net = openNetwork();
  const lab = createLabControl({ ...net.options, simulatedTime });
  opened.push(lab);
  return { ...net, lab };
}
