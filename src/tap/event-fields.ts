import type { ClockReading, Command, StoppedVehicle } from '../core/index.js';
import {
  CdrError,
  nestedSamples,
  VehicleObservationCodec,
  VehicleStateCodec,
} from '../messages/index.js';
import { unknownWriter } from '../ports/index.js';
import { commandTopics, type ReceivedCommand } from '../sides/index.js';
import { type ByteReader, TapFormatError } from './byte-reader.js';
import {
  boolean,
  bytes,
  float64,
  int64,
  list,
  name,
  nullable,
  record,
  text,
  uint32,
  uint64,
  uint8,
  type Field,
} from './fields.js';
import { vehicleObservationEvent, vehicleStateEvent, type ObservedEvent } from './observed.js';

type EventOf<K extends ObservedEvent['kind']> = Extract<ObservedEvent, { kind: K }>;

/** Both clocks of the middleware at one instant. */
export const clockReading = record<ClockReading>({ monotonicNs: int64, realtimeNs: int64 });

const ids = list(uint8);
const someIds: Field<readonly number[] | 'all'> = {
  write: (w, value) => nullable(ids).write(w, value === 'all' ? null : value),
  read: (r) => nullable(ids).read(r) ?? 'all',
  layout: `${nullable(ids).layout}; false means all`,
};

export const commandKind = name(
  Object.keys(commandTopics) as [Command['kind'], ...Command['kind'][]],
);

/** The members of an event after its kind. */
function members<K extends ObservedEvent['kind']>(
  kind: K,
  fields: { readonly [M in Exclude<keyof EventOf<K>, 'kind'>]-?: Field<EventOf<K>[M]> },
): Field<EventOf<K>> {
  const own = record<Omit<EventOf<K>, 'kind'>>(fields);
  return {
    write: (w, event) => own.write(w, event),
    // The members of a kind belong to it; the compiler cannot see that through the table.
    read: (r) => ({ kind, ...own.read(r) }) as unknown as EventOf<K>,
    layout: own.layout,
  };
}

const received = record<{ receivedAtNs: bigint; bytes: Uint8Array }>({
  receivedAtNs: int64,
  bytes,
});
const keepState = nestedSamples(VehicleStateCodec);
const keepObservation = nestedSamples(VehicleObservationCodec);

const vehicleState: Field<EventOf<'vehicleState'>> = {
  write: (w, event) => received.write(w, event),
  read(r) {
    const { receivedAtNs, bytes } = received.read(r);
    const message = decoded(() => VehicleStateCodec.decode(bytes));
    return vehicleStateEvent(message, keepState(message, bytes), bytes, receivedAtNs);
  },
  layout: received.layout,
};

const vehicleObservation: Field<EventOf<'vehicleObservation'>> = {
  write: (w, event) => received.write(w, event),
  read(r) {
    const { receivedAtNs, bytes } = received.read(r);
    const message = decoded(() => VehicleObservationCodec.decode(bytes));
    return vehicleObservationEvent(message, keepObservation(message, bytes), bytes, receivedAtNs);
  },
  layout: received.layout,
};

const guid = nullable(text);

const command: Field<EventOf<'command'>> = {
  write(w, { command, writer, receivedAtNs, atNs }) {
    w.int64(receivedAtNs);
    w.int64(atNs);
    guid.write(w, writer);
    commandKind.write(w, command.kind);
    bytes.write(w, command.bytes);
  },
  read(r) {
    const receivedAtNs = r.int64();
    const atNs = r.int64();
    const writer = guid.read(r);
    const command = readCommand(r, writer);
    return { kind: 'command', command, writer, receivedAtNs, atNs };
  },
  layout: `\`receivedAtNs\` i64; \`atNs\` i64; \`writer\` ${guid.layout}; \`kind\` ${commandKind.layout}; \`bytes\` bytes`,
};

/** Reads a kind of command and its sample. */
export function readCommand(r: ByteReader, writer: string | null): ReceivedCommand {
  const kind = commandKind.read(r);
  const sample = bytes.read(r);
  const message = decoded(() => commandTopics[kind].codec.decode(sample));
  const writerGuid = writer ?? unknownWriter.guid;
  // Kind and message belong together; the compiler cannot see that through the table.
  return { kind, message, bytes: sample, writerGuid } as ReceivedCommand;
}

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof CdrError) throw new TapFormatError(`a sample is broken: ${error.message}`);
    throw error;
  }
}

type StepControl = EventOf<'stepControl'>['control'];
const stepKind = name(['pause', 'resume', 'step', 'runUntil']);

const stepControl: Field<StepControl> = {
  write(w, control) {
    stepKind.write(w, control.kind);
    if (control.kind === 'step') w.uint32(control.count);
    if (control.kind === 'runUntil') w.int64(control.tNs);
  },
  read(r) {
    const kind = stepKind.read(r);
    if (kind === 'step') return { kind, count: r.uint32() };
    return kind === 'runUntil' ? { kind, tNs: r.uint64() } : { kind };
  },
  layout: `\`kind\` ${stepKind.layout}; of step \`count\` u32; of runUntil \`tNs\` u64`,
};

/** The kinds of events, in the order of their numbers. A new kind is added at the end. */
export const eventFields: { readonly [K in ObservedEvent['kind']]: Field<EventOf<K>> } = {
  readySignal: members('readySignal', { sourceId: text, writer: guid, receivedAtNs: int64 }),
  vehicleState,
  vehicleObservation,
  command,
  writerChanged: members('writerChanged', {
    writer: text,
    role: name(['ready', 'command']),
    joined: boolean,
    atNs: int64,
  }),
  resume: members('resume', { ids: someIds, atNs: int64 }),
  vehiclesStopped: members('vehiclesStopped', {
    cause: name(['stalled', 'guard', 'stalledOnPlan']),
    ids: someIds,
    sent: list(
      record<StoppedVehicle>({
        id: uint8,
        kinds: list(commandKind),
        newestCreateNs: int64,
        newestValidNs: int64,
        obeyedUntilNs: nullable(int64),
        speedMps: float64,
      }),
    ),
    atNs: int64,
  }),
  startSent: members('startSent', {
    plan: uint32,
    index: uint32,
    tNowNs: uint64,
    now: clockReading,
    atNs: int64,
    bytes,
  }),
  systemTrigger: members('systemTrigger', { nextStartNs: uint64, receivedAtNs: int64 }),
  wake: members('wake', { now: clockReading }),
  stop: members('stop', { atNs: int64 }),
  stepControl: members('stepControl', { control: stepControl, atNs: int64 }),
};
