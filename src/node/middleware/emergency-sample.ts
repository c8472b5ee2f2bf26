import { createStampOf, type Command, type StandStill } from '../../core/index.js';
import type { EmergencySample, StampPatch } from '../../dds/index.js';
import { commandStampOffsets, trajectoryTimeOffset } from '../../messages/index.js';
import { commandTopics } from '../../sides/index.js';

/**
 * The bytes of a command that makes a vehicle stand still, and what of them changes when it is written.
 * @param keptNs the create stamp that it keeps, ns; undefined: it gets the time of the writing
 * @param nowNs the instant as of which the command was made, monotonic, ns; null in simulated time: then both stamps
 *   move on with that time, and the times of a trajectory are kept
 */
export function emergencySample(
  still: StandStill,
  keptNs: bigint | undefined,
  nowNs: bigint | null,
): Omit<EmergencySample, 'writer' | 'occasion'> {
  const command = shortened(created(still.command, keptNs));
  const codec = commandTopics[command.kind].codec as { encodeShared(value: object): Uint8Array };
  // A copy: `Buffer.from` puts short ones into memory that they share, which is cheaper than memory of their own.
  const bytes = Buffer.from(codec.encodeShared(command.message));
  if (nowNs === null) return { bytes, ...movedOn(command, still.stampNs) };
  const clockOffsetNs = still.stampNs - nowNs;
  return { bytes, clockOffsetNs, ...patched(command, still, keptNs !== undefined) };
}

/** A create stamp ahead of now by more than this is kept: the clock that made it is wrong, ns. */
export const longestFloorNs = 50_000_000n;

/** A create stamp that is kept outranks commands that are newer by less than this, ns. */
const outrankedNs = 500_000_000n;

/**
 * The create stamp for a sample that is to keep its own, ns: later than those of the next commands; undefined: it
 * gets that of its writing.
 */
export function createToKeep(still: StandStill): bigint | undefined {
  const isAhead = createStampOf(still.command) > still.stampNs + longestFloorNs;
  return isAhead ? createAhead(still) : undefined;
}

/** A create stamp that is later than those of the next commands, ns. */
export function createAhead({ command }: StandStill): bigint {
  return createStampOf(command) + outrankedNs;
}

/** Points of a path that are kept: a vehicle that stands needs no more. */
const mostPathPoints = 100;

function shortened(command: Command): Command {
  if (command.kind !== 'pathTracking') return command;
  const path = command.message.path.slice(0, mostPathPoints);
  return { kind: 'pathTracking', message: { ...command.message, path } };
}

/** The command with this create stamp, ns; undefined: with its own. */
function created(command: Command, createNs: bigint | undefined): Command {
  if (createNs === undefined) return command;
  const header = { ...command.message.header, create_stamp: { nanoseconds: createNs } };
  // Kind and message belong together; the compiler cannot see that through the union.
  return { kind: command.kind, message: { ...command.message, header } } as Command;
}

/** Where the simulated time goes. */
function movedOn(
  { message: { header } }: Command,
  stampNs: bigint,
): Pick<EmergencySample, 'patches' | 'floorNs'> {
  const { create, validAfter } = commandStampOffsets;
  const patches = [
    { offset: create, deltaNs: header.create_stamp.nanoseconds - stampNs },
    { offset: validAfter, deltaNs: header.valid_after_stamp.nanoseconds - stampNs },
  ];
  return { patches, floorNs: stampNs };
}

/** Where the time of the writing goes. */
function patched(
  { kind, message }: Command,
  { ahead, stampNs, keepsTimes }: StandStill,
  keepsCreate: boolean,
): Pick<EmergencySample, 'patches' | 'floorNs'> {
  const createNs = message.header.create_stamp.nanoseconds;
  const patches: StampPatch[] = [];
  if (!keepsCreate) patches.push({ offset: commandStampOffsets.create, deltaNs: 0n });
  if (!ahead) {
    const deltaNs = message.header.valid_after_stamp.nanoseconds - stampNs;
    patches.push({ offset: commandStampOffsets.validAfter, deltaNs, isTime: true });
  }
  if (kind === 'trajectory' && !keepsTimes) {
    message.trajectory_points.forEach(({ t }, i) => {
      const deltaNs = t.nanoseconds - stampNs;
      patches.push({ offset: trajectoryTimeOffset(i), deltaNs, isTime: true });
    });
  }
  return { patches, floorNs: keepsCreate ? 0n : createNs };
}
