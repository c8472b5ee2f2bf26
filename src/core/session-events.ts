import type { ClockReading } from './time.js';
import type { Command } from './command.js';
import type { StoppedVehicle } from './guard/reports.js';
import type { WriterId } from './supervision/identities.js';
import type { StampedMotion } from './stop/vehicle-motion.js';
import type { VehicleSample } from './world.js';

/**
 * The events that both sessions know. `receivedAtNs` and `atNs` are monotonic instants, ns.
 * @typeParam S payload of vehicle states.
 * @typeParam O payload of vehicle observations.
 * @typeParam C the caller's commands.
 */
export type SessionEvent<S, O, C extends Command> =
  | ReadySignalEvent
  | VehicleStateEvent<S>
  | VehicleObservationEvent<O>
  | CommandEvent<C>
  | WriterChangedEvent
  | ResumeEvent
  | VehiclesStoppedEvent
  | StartSentEvent
  | SystemTriggerEvent
  | WakeEvent
  | StopEvent;

/** A `ReadyStatus` came from the controller side. */
export interface ReadySignalEvent {
  readonly kind: 'readySignal';
  readonly sourceId: string;
  readonly writer: WriterId;
  readonly receivedAtNs: bigint;
}

/** A `VehicleState` came from the lab side. */
export interface VehicleStateEvent<S> {
  readonly kind: 'vehicleState';
  readonly sample: VehicleSample<S>;
  readonly motion: StampedMotion;
  readonly receivedAtNs: bigint;
}

/** A `VehicleObservation` came from the lab side. */
export interface VehicleObservationEvent<O> {
  readonly kind: 'vehicleObservation';
  readonly sample: VehicleSample<O>;
  readonly receivedAtNs: bigint;
}

/** A command came from the controller side. */
export interface CommandEvent<C extends Command> {
  readonly kind: 'command';
  readonly command: C;
  readonly writer: WriterId;
  readonly receivedAtNs: bigint;
  /** When it is handed over, ns: later than its reception where this program was late. */
  readonly atNs: bigint;
}

/** A writer on the controller side appeared, or is gone: closed, or silent for its lease. */
export interface WriterChangedEvent {
  readonly kind: 'writerChanged';
  /** Its GUID, 32 hex digits. */
  readonly writer: string;
  /** What it writes. */
  readonly role: 'ready' | 'command';
  readonly joined: boolean;
  readonly atNs: bigint;
}

/** A user lets stopped controllers take part again: these, or all that are back. */
export interface ResumeEvent {
  readonly kind: 'resume';
  readonly ids: readonly number[] | 'all';
  readonly atNs: bigint;
}

/** Vehicles were stopped from outside of the session. */
export interface VehiclesStoppedEvent {
  readonly kind: 'vehiclesStopped';
  /**
   * `stalled`: this program stood still, and a thread of it stopped the vehicles. `stalledOnPlan`: so it did,
   * but those that obey a trajectory were not commanded.
   */
  readonly cause: 'stalled' | 'stalledOnPlan' | 'guard';
  readonly ids: readonly number[] | 'all';
  /** What was sent to these vehicles, as far as it is known; `stalled`: what has stamps ahead of now. */
  readonly sent: readonly StoppedVehicle[];
  readonly atNs: bigint;
}

/** Real time: a slot of a prepared start signal was written. */
export interface StartSentEvent {
  readonly kind: 'startSent';
  readonly plan: number;
  /** Of the slot. */
  readonly index: number;
  /** The time that it named, ns. */
  readonly tNowNs: bigint;
  /** Both clocks when it was written. */
  readonly now: ClockReading;
  /** When that is handled, monotonic, ns: much later after a stall of the program. */
  readonly atNs: bigint;
}

/** A `SystemTrigger` came from the lab side. */
export interface SystemTriggerEvent {
  readonly kind: 'systemTrigger';
  /** A time, ns, or the stop symbol. */
  readonly nextStartNs: bigint;
  readonly receivedAtNs: bigint;
}

/** The instant `wakeAtNs` has come, or any other time: waking too early is allowed. */
export interface WakeEvent {
  readonly kind: 'wake';
  readonly now: ClockReading;
}

/** The user wants the session to end. */
export interface StopEvent {
  readonly kind: 'stop';
  readonly atNs: bigint;
}

/**
 * The `next_start` of a system trigger that means stop, not a time: all ones (CPM Lab,
 * `TRIGGER_STOP_SYMBOL`).
 */
export const stopSymbol = 0xffff_ffff_ffff_ffffn;
