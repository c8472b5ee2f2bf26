import type { CommandVehicle, VehicleMovesAgain, VehicleStopped } from '../effects.js';

/** What the caller has to do, or may report, after an event of the guard. */
export type GuardEffect =
  | CommandVehicle
  | VehicleStopped
  | VehicleMovesAgain
  | SessionChange
  | TakenOver
  | OtherGuard
  | GuardEnding
  | GuardEnded;

/**
 * A middleware appeared, ended its session, is silent, or came back from silence. `unwatched`: it is one too many,
 * and its vehicles are not stopped; reported for each status.
 */
export interface SessionChange {
  readonly kind: 'sessionChanged';
  readonly change: 'begun' | 'ended' | 'silent' | 'back' | 'unwatched';
  readonly sourceId: string;
  /** Silence after which its vehicles are stopped, ns. */
  readonly limitNs: bigint;
  /** `silent`: how long no status came, ns; else 0. */
  readonly silentNs: bigint;
  /** `silent`: the vehicles that are being stopped, ascending; else none. */
  readonly ids: readonly number[];
}

/** A middleware has latched these vehicles: the guard does not command them any more. */
export interface TakenOver {
  readonly kind: 'takenOver';
  /** In no order; never empty. */
  readonly ids: readonly number[];
}

/** Another guard is on the lab side; reported once for each. */
export interface OtherGuard {
  readonly kind: 'otherGuard';
  readonly sourceId: string;
}

/** The end was asked for, and does not come at once: see `GuardEnd`. */
export interface GuardEnding {
  readonly kind: 'guardEnding';
}

/** The guard is over, and nothing follows. */
export interface GuardEnded {
  readonly kind: 'guardEnded';
  /** Vehicles that were not known to stand when the time for it was over, ascending. */
  readonly moving: readonly number[];
}
