import type { QosPolicies, TopicSpec, TransportWriter } from '../../../src/ports/index.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import type { Topic } from '../../../src/messages/index.js';
import { createSide, type Side, type TopicErrors } from '../../../src/sides/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';

export const reliable = { reliability: { kind: 'reliable' } } as const satisfies QosPolicies;
export const bestEffort = { reliability: { kind: 'best-effort' } } as const satisfies QosPolicies;

/** What went wrong, one line each. */
export interface RecordedErrors extends TopicErrors {
  readonly lines: string[];
}

export function recordErrors(): RecordedErrors {
  const lines: string[] = [];
  return {
    lines,
    malformed: (topic) => void lines.push(`malformed ${topic}`),
    incompatibleQos: (topic, end, policy) => void lines.push(`${end} of ${topic}: ${policy}`),
    writeFailed: ({ code }) => void lines.push(code),
    lost: (topic, reason, total) => void lines.push(`lost ${total} of ${topic}: ${reason}`),
  };
}

/** A middleware's end of a side, and a network on which a test plays its peers. */
export function openSide(name: 'Lab' | 'Controller') {
  const network = new InMemoryNetwork();
  const side: Side = createSide(name, network.join(), loadShippedQos());
  return { network, side, ...peersOn(network) };
}

/** Peers that write and read with any QoS. */
export function peersOn(network: InMemoryNetwork) {
  return {
    /** A writer in a participant of its own. */
    writer: (topic: TopicSpec, qos: QosPolicies = reliable): TransportWriter =>
      network.join().createWriter(topic, qos),
    /** Writes messages in order, and waits until all is delivered. */
    send: async <T>(topic: Topic<T>, ...messages: T[]): Promise<void> => {
      const writer = network.join().createWriter(topic, reliable);
      for (const message of messages) writer.write(topic.codec.encode(message));
      await network.idle();
    },
    /** Collects what comes on a topic from now on. */
    listen: <T>(topic: Topic<T>, qos: QosPolicies = bestEffort): T[] => {
      const messages: T[] = [];
      network.join().createReader(topic, qos, {
        onSample: ({ bytes }) => messages.push(topic.codec.decode(bytes)),
      });
      return messages;
    },
  };
}
