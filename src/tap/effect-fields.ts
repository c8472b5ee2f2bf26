import {
  checkCodes,
  type CheckName,
  type Miss,
  type StartSlot,
  type StartSlots,
  type Violation,
  type WorldEntry,
} from '../core/index.js';
import { encodeCommand, type ReceivedCommand } from '../sides/index.js';
import { TapFormatError } from './byte-reader.js';
import { commandKind, readCommand } from './event-fields.js';
import {
  boolean,
  bytes,
  int64,
  json,
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
import type { ObservedEffect } from './observed.js';

/** An effect as it was recorded. */
export type RecordedEffect = ObservedEffect<null>;
type EffectOf<K extends RecordedEffect['kind']> = Extract<RecordedEffect, { kind: K }>;

/** The members of an effect after its kind. Its command is that of the event. */
type Members<K extends RecordedEffect['kind']> = K extends 'commandVehicle'
  ? Omit<EffectOf<K>, 'kind'>
  : Omit<EffectOf<K>, 'kind' | 'command'>;

const worldEntry: Field<WorldEntry<unknown>> = {
  write(w, entry) {
    w.uint8(entry.vehicleId);
    w.uint8(entry.present ? 1 : 0);
    if (!entry.present) return;
    w.int64(entry.createStampNs);
    w.int64(entry.ageNs);
  },
  read(r) {
    const vehicleId = r.uint8();
    if (!boolean.read(r)) return { present: false, vehicleId };
    return {
      present: true,
      vehicleId,
      createStampNs: r.uint64(),
      ageNs: r.int64(),
      payload: null,
    };
  },
  layout: '`vehicleId` u8; `present` bool, and if true `createStampNs` u64; `ageNs` i64',
};

// A recorded entry has no payload, so both directions have the type of the reader.
const entries = list(worldEntry) as Field<readonly WorldEntry<null>[]>;
const nothing = record<object>({});
const ids = list(uint8);

const startSignal = {
  tNowNs: uint64,
  periodNs: int64,
  activeVehicleIds: ids,
  states: entries,
  observations: entries,
};

const checkNames = Object.keys(checkCodes) as [CheckName, ...CheckName[]];
const checkName = name(checkNames);
const checkCode = name(Object.values(checkCodes));
const details = json((value) => value as object);
const violation: Field<Violation> = {
  write(w, { check, details: value }) {
    checkName.write(w, check);
    details.write(w, value);
  },
  read(r) {
    const check = checkName.read(r);
    // A check and its details belong together; the compiler cannot see that through the table.
    return { check, code: checkCodes[check], details: details.read(r) } as Violation;
  },
  layout: `\`check\` ${checkName.layout}; \`details\` JSON text`,
};

const endReason = name([
  'stopTrigger',
  'stopped',
  'periodsDone',
  'untilReached',
  'readyTimeout',
  'startTimeout',
  'replyTimeout',
  'overrun',
]);
const controllerState = name(['absent', 'ready', 'working', 'late', 'dead', 'rejoining']);

const ownCommand: Field<EffectOf<'commandVehicle'>['command']> = {
  write(w, command) {
    commandKind.write(w, command.kind);
    bytes.write(w, encodeCommand(command));
  },
  read: (r) => readCommand(r, null),
  layout: `\`kind\` ${commandKind.layout}; \`bytes\` bytes`,
};

/**
 * The members of all kinds of effects but the command that an effect shares with its event, in the
 * order of their numbers. A new kind is added at the end.
 */
export const effectFields: {
  readonly [K in RecordedEffect['kind']]: Field<Members<K>>;
} = {
  sendStartSignal: record(startSignal),
  prepareStart: record<Members<'prepareStart'>>({
    ...startSignal,
    plan: uint32,
    slots: record<StartSlots>({
      first: record<StartSlot>({
        index: uint32,
        tNowNs: uint64,
        notBeforeNs: int64,
        notAfterNs: int64,
      }),
      standIns: uint32,
      periodNs: int64,
      graceNs: int64,
    }),
  }),
  startSignalSent: record<Members<'startSignalSent'>>({
    ...startSignal,
    latenessNs: int64,
    standIn: boolean,
  }),
  cancelStart: nothing,
  forwardCommand: nothing,
  refuseCommand: record<Members<'refuseCommand'>>({
    id: uint8,
    code: checkCode,
    violations: list(violation),
  }),
  flagCommand: record<Members<'flagCommand'>>({ id: uint8, violations: list(violation) }),
  signIn: record<Members<'signIn'>>({ nextStartNs: uint64 }),
  controllerReady: record<Members<'controllerReady'>>({ id: uint8, admitted: boolean }),
  allReady: nothing,
  controllersMissing: record<Members<'controllersMissing'>>({
    ids,
    awaited: name(['readySignal', 'reply']),
    waitedNs: int64,
  }),
  triggerMissing: record<Members<'triggerMissing'>>({
    wantedNs: nullable(uint64),
    waitedNs: int64,
  }),
  unknownController: record<Members<'unknownController'>>({ sourceId: text }),
  controllerChanged: record<Members<'controllerChanged'>>({
    id: uint8,
    from: controllerState,
    to: controllerState,
    latched: boolean,
  }),
  secondController: record<Members<'secondController'>>({ id: uint8, writer: text, owner: text }),
  commandVehicle: record<Members<'commandVehicle'>>({
    id: uint8,
    cause: name(['hold', 'stop']),
    command: ownCommand,
  }),
  safeStop: record<Members<'safeStop'>>({
    id: uint8,
    cause: name(['misses', 'silent', 'gone', 'dropped', 'stalled', 'guard']),
    latched: boolean,
  }),
  vehicleStopped: record<Members<'vehicleStopped'>>({
    id: uint8,
    outcome: name(['atRest', 'silent']),
    afterNs: int64,
  }),
  resumed: record<Members<'resumed'>>({ id: uint8 }),
  resumeRefused: record<Members<'resumeRefused'>>({ ids }),
  replied: record<Members<'replied'>>({ id: uint8, tNowNs: uint64, replyTimeNs: int64 }),
  lateReply: record<Members<'lateReply'>>({ id: uint8, createStampNs: uint64 }),
  missed: record<Members<'missed'>>({
    tNowNs: uint64,
    misses: list(record<Miss>({ id: uint8, consecutive: uint32 })),
  }),
  replyTimeout: record<Members<'replyTimeout'>>({ tNowNs: uint64, ids }),
  periodsSkipped: record<Members<'periodsSkipped'>>({ count: uint32 }),
  clockStepped: record<Members<'clockStepped'>>({ stepNs: int64 }),
  paused: record<Members<'paused'>>({ nextNs: uint64 }),
  stateRefused: record<Members<'stateRefused'>>({ id: uint8, aheadNs: int64 }),
  ending: record<Members<'ending'>>({ reason: endReason }),
  ended: record<Members<'ended'>>({ reason: endReason, latched: ids, moving: ids }),
  vehicleMovesAgain: record<Members<'vehicleMovesAgain'>>({ id: uint8 }),
};

/**
 * An effect with its members.
 * @param commandOf gives the command of the event that caused it; undefined when that was none.
 */
export function effectOf(
  kind: RecordedEffect['kind'],
  members: object,
  commandOf: () => ReceivedCommand | undefined,
): RecordedEffect {
  // Kind and members belong together; the compiler cannot see that through the table.
  const effect = { kind, ...members };
  const sharesCommand =
    kind === 'forwardCommand' || kind === 'refuseCommand' || kind === 'flagCommand';
  return (sharesCommand ? { ...effect, command: shared(commandOf()) } : effect) as RecordedEffect;
}

function shared(command: ReceivedCommand | undefined): ReceivedCommand {
  if (command === undefined) throw new TapFormatError('an effect has no command');
  return command;
}
