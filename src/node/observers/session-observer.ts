import type {
  ClockReading,
  Effect,
  LockStepEvent,
  SessionEvent,
  VehicleStateEvent,
} from '../../core/index.js';
import type { NestedSample } from '../../messages/index.js';
import type { ReceivedCommand } from '../../sides/index.js';

type AnySessionEvent = SessionEvent<NestedSample, NestedSample, ReceivedCommand>;
type AnyLockStepEvent = LockStepEvent<NestedSample, NestedSample, ReceivedCommand>;

/** A vehicle state as observers see it. */
export interface ObservedVehicleState extends VehicleStateEvent<NestedSample> {
  /** The vehicle's own odometer, m. */
  readonly odometerM: number;
}

/** An event of either kind of session, over the samples of the wire contract. */
export type NodeEvent =
  | Exclude<AnySessionEvent, { kind: 'vehicleState' }>
  | Extract<AnyLockStepEvent, { kind: 'stepControl' }>
  | ObservedVehicleState;

/** An effect of either kind of session, over the samples of the wire contract. */
export type NodeEffect = Effect<NestedSample, NestedSample, ReceivedCommand>;

/** The result of performing an effect. */
export interface Performed {
  /** False when a write of this effect failed; the topic errors have the reason. */
  readonly written: boolean;
  /** Of a start signal in simulated time: how long it took to write, ns; otherwise 0. */
  readonly latenessNs: bigint;
}

/**
 * Sees all that a session takes in and does, in order: each event, then its effects, all after the
 * effects were performed. An observer changes nothing in the session. One that throws is removed.
 */
export interface SessionObserver {
  /** For the log: "statistics", for example. */
  readonly name: string;
  /** @param at both clocks just after the effects of the event were performed. */
  event?(event: NodeEvent, at: ClockReading): void;
  /**
   * The bytes of a command are valid during the call only.
   * @param at as for the event that caused the effect.
   */
  effect?(effect: NodeEffect, performed: Performed, at: ClockReading): void;
  /** The event loop stood still for this time, ns, when it was due to act. */
  stalled?(stallNs: bigint): void;
}

/** Called at the places where a fault may arise, so that a test can throw there. */
export interface SessionProbes {
  /** Before the session takes the event in. */
  event?(event: NodeEvent): void;
  /** Before the effect is performed. */
  effect?(effect: NodeEffect): void;
}
