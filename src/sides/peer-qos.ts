import type { QosPolicies, ReaderOptions } from '../ports/index.js';
import type { TopicName } from '../messages/index.js';
import { commandTopics } from './command-topics.js';
import type { EndpointQos } from './side.js';

type WriterTable = Partial<Record<TopicName, QosPolicies>>;
/** A reader for a topic, or a reliable one and a best-effort one beside it. */
type ReaderTable = Partial<Record<TopicName, readonly [QosPolicies, QosPolicies?]>>;

const maxBlockingTimeNs = 100_000_000n;
const keepAll = { kind: 'keep-all' } as const;
const keepNewest = { kind: 'keep-last', depth: 1 } as const;
const volatile = { kind: 'volatile' } as const;

const reliableReader: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: volatile,
  history: keepAll,
};
const bestEffortReader: QosPolicies = { ...reliableReader, reliability: { kind: 'best-effort' } };
const newestReader: QosPolicies = { ...bestEffortReader, history: keepNewest };
const newestReliableReader: QosPolicies = { ...reliableReader, history: keepNewest };
const reliableWriter: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs },
  durability: volatile,
  history: keepAll,
};
const newestReliableWriter: QosPolicies = { ...reliableWriter, history: keepNewest };
const bestEffortWriter: QosPolicies = newestReader;
/** For late joiners, too. Without the durability service they get one sample of an instance only. */
const lastingWriter: QosPolicies = {
  ...reliableWriter,
  durability: { kind: 'transient-local' },
  durabilityService: { history: keepAll },
};

/**
 * A controller, on the controller side (CPM Lab wire contract). Ready signals are kept for a
 * middleware that starts later. Of start signals the newest counts; in simulated time a lost one holds
 * the run up for ever, so a best-effort reader is only for a middleware that writes best effort. No
 * trigger may be lost.
 */
export const controllerQos = endpointQos(
  { readyStatus: lastingWriter, stopRequest: reliableWriter, ...eachCommand(reliableWriter) },
  { vehicleStateList: [newestReliableReader, newestReader], systemTrigger: [reliableReader] },
);

/**
 * Of states the newest matters, and a reader that asks for best effort, as the original middleware
 * does, matches too. A slow reader must not hold up the vehicles for longer than 5 ms.
 */
const stateWriter: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 5_000_000n },
  durability: volatile,
  history: keepNewest,
};
/**
 * In simulated time a vehicle writes all states of a step at once, and each counts: the newest holds only from a
 * later step on. Of one that is overtaken by the announcement of the next, a writer that keeps only the newest has
 * nothing left to send again. 100 are 2 s at 50 Hz. Time waits for readers in any case.
 */
const stepStateWriter: QosPolicies = {
  ...reliableWriter,
  history: { kind: 'keep-last', depth: 100 },
};
const commandHistory = { kind: 'keep-last', depth: 64 } as const;

/**
 * Vehicles, on the lab side. The original middleware writes commands best effort. Of the states of
 * others the newest says whether another program drives the same vehicle.
 */
export const vehicleQos = (time: 'real' | 'simulated'): EndpointQos =>
  endpointQos(
    {
      vehicleState: time === 'real' ? stateWriter : stepStateWriter,
      vehicleObservation: time === 'real' ? stateWriter : stepStateWriter,
      readyStatus: reliableWriter,
      round_trip_time: newestReliableWriter,
    },
    {
      ...eachCommand([
        { ...reliableReader, history: commandHistory },
        { ...bestEffortReader, history: commandHistory },
      ] as const),
      vehicleState: [newestReader],
      systemTrigger: [reliableReader],
      round_trip_time: [bestEffortReader],
    },
  );

/** A program that only reads the states of vehicles, on the lab side. */
export const stateReaderQos = endpointQos({}, { vehicleState: [newestReader] });

/** The same, of vehicles of others only. */
export const otherStateReaderQos = endpointQos(
  {},
  { vehicleState: [newestReader] },
  { ignoreOwnWriters: true },
);

/** A gateway to a network simulator, on the controller side: the newest list of each vehicle. */
export const neighborListQos = endpointQos(
  {
    neighborList: {
      ...newestReliableWriter,
      durability: { kind: 'transient-local' },
      durabilityService: { history: keepNewest },
    },
  },
  {},
);

/** A gateway to another simulation, on the lab side: its list of agents, which it repeats. */
export const remoteAgentQos = endpointQos({ remoteAgentList: stateWriter }, {});

/** A lab control, on the lab side (CPM Lab wire contract; round trips: `RTTTool`). */
export const labControlQos = endpointQos(
  {
    parameter: newestReliableWriter,
    systemTrigger: newestReliableWriter,
    commonroad_dds_goal_states: lastingWriter,
    logLevel: lastingWriter,
    round_trip_time: bestEffortWriter,
  },
  {
    readyStatus: [reliableReader],
    log: [reliableReader],
    parameterRequest: [bestEffortReader],
    stopRequest: [bestEffortReader],
    round_trip_time: [bestEffortReader],
  },
);

function endpointQos(
  writers: WriterTable,
  readers: ReaderTable,
  options: ReaderOptions = {},
): EndpointQos {
  return {
    writer: (topicName) => rowOf(writers, topicName),
    readers(topicName) {
      const [first, second] = rowOf(readers, topicName);
      const only = { qos: first, options: { ...options, ignoreReliableWriters: false } };
      if (second === undefined) return [only];
      return [only, { qos: second, options: { ...options, ignoreReliableWriters: true } }];
    },
  };
}

function rowOf<T>(table: Partial<Record<TopicName, T>>, topicName: string): T {
  const row = table[topicName as TopicName];
  if (row === undefined) throw new RangeError(`This end has no endpoint for "${topicName}".`);
  return row;
}

function eachCommand<T>(
  row: T,
): Record<(typeof commandTopics)[keyof typeof commandTopics]['name'], T> {
  const names = Object.values(commandTopics).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, row])) as ReturnType<typeof eachCommand<T>>;
}
