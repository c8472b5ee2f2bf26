import type { Transport } from '../../ports/index.js';
import type { CommonroadDDSGoalState } from '../../messages/index.js';
import type { LabControlEvent } from './events.js';
import type { ServedParameter } from './parameters.js';
import type { Participant } from './participants.js';
import type { RoundTripWaits } from './round-trip.js';
import type { LabClock } from '../lab-clock.js';

/** What a lab control needs in either time mode. */
export interface LabControlOptions {
  /** The lab side. It stays open when the lab control closes. */
  readonly transport: Transport;
  /** The computer's time, in simulated time too. */
  readonly clock: LabClock;
  /** What the parameter server answers, by name; requests for other names go unanswered. */
  readonly parameters?: Readonly<Record<string, ServedParameter>>;
  onEvent?(event: LabControlEvent): void;
}

/** How a lab control keeps simulated time. */
export interface SimulatedTimeOptions {
  /** Source ids that must have signed in before the first step; default: any one. */
  readonly expected?: readonly string[];
  /**
   * Send the trigger of the current step again with every ready signal that comes while a participant
   * works on it, as the lab does; default false: only for a participant that missed it.
   */
  readonly repeatTriggers?: boolean;
}

/** The lab's real time. */
export interface RealTimeControl {
  /**
   * Starts all that wait for it. May be repeated for those that signed in later.
   * @param startNs Nanoseconds since 1970; default: now + 1 s, as in the lab.
   * @throws RangeError when it is no time.
   */
  start(startNs?: bigint): void;
  /** Stops all. May be repeated. */
  stop(): void;
  participants(): readonly Participant[];
}

/** The lab's simulated time. */
export interface SimulatedTimeControl {
  /** Runs time: step after step, as soon as no participant is awaited. */
  start(): void;
  /** Begins no further step; the one under way goes on. */
  pause(): void;
  /**
   * Begins this many further steps, then pauses.
   * @param count 1 or more; default 1.
   * @throws RangeError for another count.
   */
  step(count?: number): void;
  /** Stops all, for good. May be repeated. */
  stop(): void;
  participants(): readonly Participant[];
  /** Goes on without a participant, until it signs in again. */
  forget(sourceId: string): void;
}

/**
 * A lab control at work: what the lab's control centre does on the wire, without its screen. After
 * close() whatever writes fails with HlcError `HLC_CLOSED`.
 */
export interface LabControl<Time extends RealTimeControl | SimulatedTimeControl> {
  readonly time: Time;
  /**
   * Adds or changes a parameter and announces it, as in the lab.
   * @throws RangeError when the value does not fit its type.
   */
  setParameter(name: string, parameter: ServedParameter): void;
  /**
   * Sets the log level of all programs of the lab, also of those that start later.
   * @param level 0 nothing, 1 critical errors, 2 all errors, 3 everything. Without a call programs
   *   log at their default, 1.
   * @throws RangeError when it is no whole number from 0 to 65535.
   */
  setLogLevel(level: number): void;
  /**
   * Takes back the goal states that were sent before, and sends these, also to those that start
   * later.
   * @throws RangeError when a field does not fit its IDL type.
   */
  setGoalStates(goalStates: readonly CommonroadDDSGoalState[]): void;
  /**
   * Asks all programs that answer on topic round_trip_time. A call while a question is open joins it.
   * @returns The source ids of those that answered; comes early when the lab control closes.
   */
  askAll(waits?: RoundTripWaits): Promise<readonly string[]>;
  /** Ends the lab control and its endpoints, without a stop trigger; closing twice is allowed. */
  close(): void;
}
