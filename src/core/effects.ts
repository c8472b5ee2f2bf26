import type { Command } from './command.js';
import type { Miss } from './reply-monitor.js';
import type { ControllerState } from './roster.js';
import type { StartSlots } from './start-plan.js';
import type { StopOutcome } from './stop/vehicle-stop.js';
import type { Violation } from './violation.js';
import type { WorldEntry } from './world.js';

/**
 * What the caller has to do, or may report, after an event. Effects are to be carried out
 * in the order in which they stand; the urgent one comes first.
 * @typeParam S payload of vehicle states.
 * @typeParam O payload of vehicle observations.
 * @typeParam C the caller's commands.
 */
export type Effect<S, O, C extends Command> =
  SendStartSignal<S, O> | PrepareStart<S, O> | StartSignalSent<S, O> | PlainEffect<C>;

/** The effects without vehicle states. */
export type PlainEffect<C extends Command> =
  | CancelStart
  | ForwardCommand<C>
  | RefuseCommand<C>
  | FlagCommand<C>
  | SignIn
  | ControllerReady
  | AllReady
  | ControllersMissing
  | TriggerMissing
  | UnknownController
  | ControllerChanged
  | SecondController
  | CommandVehicle
  | SafeStop
  | VehicleStopped
  | VehicleMovesAgain
  | Resumed
  | ResumeRefused
  | Replied
  | LateReply
  | Missed
  | ReplyTimeout
  | PeriodsSkipped
  | ClockStepped
  | Paused
  | StateRefused
  | Ending
  | Ended;

/** Where rules put their effects: a list of effects. */
export interface EffectSink<C extends Command> {
  push(...effects: PlainEffect<C>[]): unknown;
}

/** What a start signal says. */
export interface StartSignal<S, O> {
  /** The exact grid time, ns. */
  readonly tNowNs: bigint;
  readonly periodNs: bigint;
  /** The vehicles that are asked for, in the order in which they were named. */
  readonly activeVehicleIds: readonly number[];
  /** One entry per active vehicle, ordered by id. */
  readonly states: readonly WorldEntry<S>[];
  /** One entry per active vehicle, ordered by id. */
  readonly observations: readonly WorldEntry<O>[];
}

/** Lock-step: write this `VehicleStateList` to the controllers, now. */
export interface SendStartSignal<S, O> extends StartSignal<S, O> {
  readonly kind: 'sendStartSignal';
}

/**
 * Real time: have this `VehicleStateList` written in its slot, and again with the time of each
 * further slot until another plan replaces this one. What was written is reported by `startSent`.
 */
export interface PrepareStart<S, O> extends StartSignal<S, O> {
  readonly kind: 'prepareStart';
  /** Number of the plan, for `startSent`. */
  readonly plan: number;
  readonly slots: StartSlots;
}

/** Real time: no start signal is to be written until the next `prepareStart`. */
export interface CancelStart {
  readonly kind: 'cancelStart';
}

/** Real time: this start signal went out. */
export interface StartSignalSent<S, O> extends StartSignal<S, O> {
  readonly kind: 'startSignalSent';
  /** How long after `tNowNs` it was written, ns. */
  readonly latenessNs: bigint;
  /** True when it carries the states of an earlier period: this program was late. */
  readonly standIn: boolean;
}

/** Write this command to the vehicles, unchanged, now. */
export interface ForwardCommand<C> {
  readonly kind: 'forwardCommand';
  /** The very object of the event. */
  readonly command: C;
}

/** This command was not forwarded. */
export interface RefuseCommand<C> {
  readonly kind: 'refuseCommand';
  readonly id: number;
  readonly command: C;
  /** Why: the first check that is not passed and refuses. Count by it. */
  readonly code: Violation['code'];
  /** All checks not passed. */
  readonly violations: readonly Violation[];
}

/** This command was forwarded, though it does not pass these checks. */
export interface FlagCommand<C> {
  readonly kind: 'flagCommand';
  readonly id: number;
  readonly command: C;
  readonly violations: readonly Violation[];
}

/** Write a `ReadyStatus` with the node's own id to the lab side. */
export interface SignIn {
  readonly kind: 'signIn';
  /** Its `next_start_stamp`: the time wanted next, ns; 0 in real time. */
  readonly nextStartNs: bigint;
}

/** An assigned controller sent its first ready signal. */
export interface ControllerReady {
  readonly kind: 'controllerReady';
  readonly id: number;
  /** True when it was not awaited: it was admitted, and is served from now on. */
  readonly admitted: boolean;
}

/** Every assigned controller is ready: goal states that were held back can be passed on. */
export interface AllReady {
  readonly kind: 'allReady';
}

/** Names whom the session waits for: every 2 s for ready signals, every second for replies. */
export interface ControllersMissing {
  readonly kind: 'controllersMissing';
  /** Ascending. Empty when all controllers are dead and the step waits for one to rejoin. */
  readonly ids: readonly number[];
  readonly awaited: 'readySignal' | 'reply';
  /** How long this wait has lasted, ns. */
  readonly waitedNs: bigint;
}

/** Every 2 s while the session waits for a system trigger of the lab control. */
export interface TriggerMissing {
  readonly kind: 'triggerMissing';
  /** The time that the trigger must name, ns; null in real time, where any will do. */
  readonly wantedNs: bigint | null;
  /** How long this wait has lasted, ns. */
  readonly waitedNs: bigint;
}

/** A ready signal came from a source that is no assigned controller; reported once per source. */
export interface UnknownController {
  readonly kind: 'unknownController';
  readonly sourceId: string;
}

/** A controller changed its state in a way that does not belong to every period. */
export interface ControllerChanged {
  readonly kind: 'controllerChanged';
  readonly id: number;
  readonly from: ControllerState;
  readonly to: ControllerState;
  /** True when it takes part again only after a resume. */
  readonly latched: boolean;
}

/**
 * Another process than the controller itself signs in or commands under its id, and does not count;
 * reported once per id and participant.
 */
export interface SecondController {
  readonly kind: 'secondController';
  readonly id: number;
  /** GUID of the writer that is refused. */
  readonly writer: string;
  /** GUID prefix of the participant that is the controller. */
  readonly owner: string;
}

/** Write this command of the middleware's own to a vehicle, now. */
export interface CommandVehicle {
  readonly kind: 'commandVehicle';
  readonly id: number;
  /** `hold`: a command of its controller once more. `stop`: it is to come to rest. */
  readonly cause: 'hold' | 'stop';
  readonly command: Command;
}

/**
 * Why a vehicle is brought to rest:
 * - `misses`: its controller missed too many periods in a row;
 * - `silent`: its controller has not replied for too long;
 * - `gone`: its controller's process is gone;
 * - `dropped`: its controller did not answer a step of simulated time;
 * - `stalled`: this program stood still, and its vehicles were stopped meanwhile;
 * - `guard`: the guard stopped the vehicle.
 */
export type StopCause = 'misses' | 'silent' | 'gone' | 'dropped' | 'stalled' | 'guard';

/** A controller is out, and its vehicle is being brought to rest. */
export interface SafeStop {
  readonly kind: 'safeStop';
  readonly id: number;
  readonly cause: StopCause;
  /** True when it takes part again only after a resume. */
  readonly latched: boolean;
}

/** A safe stop is done: the vehicle stands, or sends no states and was commanded to for a while. */
export interface VehicleStopped {
  readonly kind: 'vehicleStopped';
  readonly id: number;
  readonly outcome: StopOutcome;
  /** From the first stop command, ns. */
  readonly afterNs: bigint;
}

/** A vehicle stood after its stop, and moves in spite of it: it is stopped again. */
export interface VehicleMovesAgain {
  readonly kind: 'vehicleMovesAgain';
  readonly id: number;
}

/** A stopped controller takes part again from the next start signal. */
export interface Resumed {
  readonly kind: 'resumed';
  readonly id: number;
}

/** These controllers were to be resumed, and are not back: they stay stopped. */
export interface ResumeRefused {
  readonly kind: 'resumeRefused';
  /** Ascending; never empty. */
  readonly ids: readonly number[];
}

/** The first valid command of a controller within a period. */
export interface Replied {
  readonly kind: 'replied';
  readonly id: number;
  /** Start time of the period, ns. */
  readonly tNowNs: bigint;
  /** From the start signal (in lock-step: from the event that caused it) to reception, ns. */
  readonly replyTimeNs: bigint;
}

/** A controller answered a period that it had missed. */
export interface LateReply {
  readonly kind: 'lateReply';
  readonly id: number;
  readonly createStampNs: bigint;
}

/** A period is over, and these controllers did not reply in it. */
export interface Missed {
  readonly kind: 'missed';
  /** Start time of the period, ns. */
  readonly tNowNs: bigint;
  /** Ascending by id; never empty. */
  readonly misses: readonly Miss[];
}

/** Lock-step: the reply time-out of a step is over. */
export interface ReplyTimeout {
  readonly kind: 'replyTimeout';
  readonly tNowNs: bigint;
  /** Who has not replied, ascending. */
  readonly ids: readonly number[];
}

/** Real time: an overrun; these periods have no start signal. */
export interface PeriodsSkipped {
  readonly kind: 'periodsSkipped';
  readonly count: number;
}

/** Real time: the wall clock stepped. Start times follow it, the rhythm does not. */
export interface ClockStepped {
  readonly kind: 'clockStepped';
  /** ns, forward is positive. */
  readonly stepNs: bigint;
}

/** Lock-step: time is paused until it is resumed. */
export interface Paused {
  readonly kind: 'paused';
  /** The time of the next step, ns. */
  readonly nextNs: bigint;
}

/** A state or an observation of a vehicle is stamped too far ahead of now, and does not count. */
export interface StateRefused {
  readonly kind: 'stateRefused';
  readonly id: number;
  /** How far its create stamp or its valid-after stamp is ahead of now, ns. */
  readonly aheadNs: bigint;
}

/** The run is over: the controllers are to stop. The vehicles are brought to rest, then `ended` follows. */
export interface Ending {
  readonly kind: 'ending';
  readonly reason: EndReason;
}

/** The session is over, and nothing follows. */
export interface Ended {
  readonly kind: 'ended';
  readonly reason: EndReason;
  /** Controllers that are stopped and were not resumed, ascending. */
  readonly latched: readonly number[];
  /** Vehicles that were not known to stand when the time for it was over, ascending. */
  readonly moving: readonly number[];
}

/**
 * Why a session ended:
 * - `stopTrigger`: the lab's stop symbol;
 * - `stopped`: the caller's stop event;
 * - `periodsDone`: the wanted number of periods is over;
 * - `untilReached`: simulated time reached its end;
 * - `readyTimeout`: not all controllers became ready in time;
 * - `startTimeout`: the lab's system trigger did not come in time;
 * - `replyTimeout`: a step was not answered in time, and the policy is to halt;
 * - `overrun`: this program came too late for a period, and the policy is to halt.
 */
export type EndReason =
  | 'stopTrigger'
  | 'stopped'
  | 'periodsDone'
  | 'untilReached'
  | 'readyTimeout'
  | 'startTimeout'
  | 'replyTimeout'
  | 'overrun';
