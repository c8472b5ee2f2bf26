import type { VehicleCommand, VehicleCommandKind } from './vehicle-command.js';

/** A vehicle obeys a command for 1 s after its valid_after_stamp, then it stops (CPM Lab vehicle). */
const commandTimeoutNs = 1_000_000_000n;

/** Which kind wins while commands of several kinds are in force (CPM Lab vehicle). */
const precedence: readonly VehicleCommandKind[] = [
  'direct',
  'speedCurvature',
  'trajectory',
  'pathTracking',
];

/** Commands that wait for their valid_after_stamp, per kind; beyond it the oldest is thrown away. */
const pendingLimit = 256;

interface Lane {
  inForce: VehicleCommand | undefined;
  pending: VehicleCommand[];
}

/** The received commands of one vehicle, and which of them it obeys at a time. */
export class CommandInbox {
  readonly #lanes = new Map<VehicleCommandKind, Lane>(
    precedence.map((kind) => [kind, { inForce: undefined, pending: [] }]),
  );

  /** Keeps a command until it is valid and a newer one replaces it. */
  add(command: VehicleCommand): void {
    const pending = this.#lane(command.kind).pending;
    pending.push(command);
    if (pending.length > pendingLimit) pending.shift();
  }

  /**
   * The command to obey now: of the most direct kind in force, the one with the highest
   * create_stamp whose valid_after_stamp has come; the later arrival wins a tie.
   * @param nowNs Nanoseconds since 1970.
   * @returns undefined when the last valid_after_stamp is 1 s ago or more.
   */
  commandAt(nowNs: bigint): VehicleCommand | undefined {
    for (const kind of precedence) {
      const command = advance(this.#lane(kind), nowNs);
      if (command !== undefined && nowNs - validAfterNs(command) < commandTimeoutNs) return command;
    }
    return undefined;
  }

  #lane(kind: VehicleCommandKind): Lane {
    const lane = this.#lanes.get(kind);
    if (lane === undefined) throw new RangeError(`No commands of kind "${kind}" exist.`);
    return lane;
  }
}

/** Puts what became valid into force, and forgets what is older than the command in force. */
function advance(lane: Lane, nowNs: bigint): VehicleCommand | undefined {
  // The clock was set back: what belongs to the future is not obeyed.
  if (lane.inForce && validAfterNs(lane.inForce) > nowNs) lane.inForce = undefined;
  if (lane.pending.length === 0) return lane.inForce;
  for (const command of lane.pending) {
    const valid = validAfterNs(command) <= nowNs;
    if (valid && (!lane.inForce || createNs(command) >= createNs(lane.inForce))) {
      lane.inForce = command;
    }
  }
  const oldestNs = lane.inForce ? createNs(lane.inForce) : 0n;
  lane.pending = lane.pending.filter(
    (command) => validAfterNs(command) > nowNs && createNs(command) >= oldestNs,
  );
  return lane.inForce;
}

function createNs(command: VehicleCommand): bigint {
  return command.header.create_stamp.nanoseconds;
}

function validAfterNs(command: VehicleCommand): bigint {
  return command.header.valid_after_stamp.nanoseconds;
}
