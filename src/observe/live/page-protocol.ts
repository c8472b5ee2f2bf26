/**
 * What the observer sends to its page, as JSON. Times `t` are those of the middleware, ms since 1970.
 */

/** The newest state of a vehicle: metres, radians, metres per second, volts; null: it is no finite number. */
export interface VehicleView {
  readonly id: number;
  /** When its state was received. */
  readonly t: number;
  /** Simulated time only: that of the last start signal when its state was received, ms. */
  readonly simulatedMs?: number;
  readonly x: number | null;
  readonly y: number | null;
  readonly yaw: number | null;
  readonly speed: number | null;
  readonly battery: number | null;
  /** Age of the newest pose of the positioning system at the time of the state, ms. */
  readonly poseAgeMs: number;
  /** Simulated time only: where it was since the last update; x and y alternate. */
  readonly trail?: readonly (number | null)[];
}

/** What the newest command of a controller plans: points in metres, and what it commands. */
export interface PlanView {
  readonly id: number;
  readonly t: number;
  /** As that of a vehicle. */
  readonly simulatedMs?: number;
  /** `stop`: the middleware stops the vehicle. */
  readonly kind: string;
  /** x and y alternate; empty for commands without points. */
  readonly points: readonly number[];
  /** Trajectories only: when the last point is due, ms; in simulated time of that. */
  readonly untilMs?: number;
}

/** The reply of a controller to a period. */
export interface ReplyView {
  readonly id: number;
  readonly t: number;
  /** From the start signal to the reply, ms. */
  readonly ms: number;
}

/** A start signal went out. */
export interface StartView {
  readonly t: number;
  readonly latenessMs: number;
}

export type MarkKind = 'miss' | 'refusal' | 'stop';

/** A miss, a refusal or a safe stop of a controller. */
export interface MarkView {
  readonly kind: MarkKind;
  readonly id: number;
  readonly t: number;
}

/** An entry of the middleware's log. */
export interface EventView {
  readonly t: number;
  /** 30 info, 40 warning, 50 error. */
  readonly level: number;
  readonly text: string;
  readonly code?: string;
}

export interface ControllerView {
  readonly id: number;
  readonly state: string;
  readonly latched: boolean;
  readonly stopping: boolean;
  readonly replies: number;
  readonly misses: number;
  readonly lateReplies: number;
  readonly refusals: number;
  readonly safeStops: number;
  readonly replyP50Ms: number;
  readonly replyP99Ms: number;
}

/** State and counts, as the summary of the run has them. */
export interface StatusView {
  readonly nodeId: string;
  readonly mode: 'real' | 'simulated';
  readonly phase: string;
  /** Simulated time of the last start signal as a decimal number, ns; empty in real time. */
  readonly simulatedNs: string;
  readonly periodMs: number | null;
  readonly startSignals: number;
  readonly skippedPeriods: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly latenessP99Ms: number;
  readonly controllers: readonly ControllerView[];
  readonly statesReceived: Readonly<Record<string, number>>;
}

/** A vehicle of another simulation: metres, radians, metres per second. */
export interface RemoteAgentView {
  /** The gateway that takes part in that simulation. */
  readonly source: string;
  readonly node: number;
  readonly agent: number;
  readonly kind: 'wheeled' | 'tracked' | 'copter';
  /** Its vehicle in the lab, if any. */
  readonly vehicle_id: number | null;
  /** Numbers of wheels and so on. */
  readonly parts: Readonly<Record<string, number>>;
  /** Paths of its files. */
  readonly files: Readonly<Record<string, string>>;
  /** Null before the first. */
  readonly state: {
    readonly x: number;
    readonly y: number;
    readonly yaw: number;
    readonly speed: number;
  } | null;
}

/** The state of a recording that is shown; times as `t`. */
export interface PlaybackView {
  readonly from: number;
  readonly to: number;
  /** Recorded time by real time. */
  readonly speed: number;
  readonly isPaused: boolean;
  /** The recorded time at the last request; what is shown may be older. */
  readonly position: number;
}

/** One message to a page. What is absent has not changed. */
export interface PageUpdate {
  /** True: forget what was shown, another middleware or another place of a recording follows. */
  readonly begins?: true;
  /**
   * `waiting`: no middleware had a tap there yet. `silent`: it is connected, and writes nothing. `ended`:
   * the last one closed its tap. `gone`: its tap was lost.
   */
  readonly connection?: 'connected' | 'silent' | 'waiting' | 'ended' | 'gone';
  /** Why the observer cannot read the tap of a middleware that is there; null: no such problem. */
  readonly problem?: string | null;
  readonly status?: StatusView;
  /** The newest time of the middleware, for the age of states. */
  readonly t?: number;
  /** Simulated time only: that of the last start signal, ms; null before the first. */
  readonly simulatedMs?: number | null;
  readonly vehicles?: readonly VehicleView[];
  readonly plans?: readonly PlanView[];
  /** All of them. */
  readonly remoteAgents?: readonly RemoteAgentView[];
  readonly replies?: readonly ReplyView[];
  readonly starts?: readonly StartView[];
  readonly marks?: readonly MarkView[];
  readonly events?: readonly EventView[];
  /** Monotonic time of the observer's machine when it was sent, ms. */
  readonly sentAtMs?: number;
  /** Records that the observer or this page was too slow for, in all. */
  readonly lost?: number;
  /** Outline of the track: x and y alternate, metres. */
  readonly track?: readonly number[];
  /** Absent when a running middleware is shown. */
  readonly playback?: PlaybackView;
  /** True when this page may control the middleware, or the recording. */
  readonly mayControl?: boolean;
}

/** One controller in the history. */
export interface ControllerHistory {
  readonly id: number;
  /** The longest reply time of each second, ms; null without a reply. */
  readonly ms: readonly (number | null)[];
  /** Index of a second and the count in it alternate; seconds without any are absent. */
  readonly marks: Readonly<Record<MarkKind, readonly number[]>>;
}

/** The last hour, in columns: the lists have a value for each of the seconds. */
export interface History {
  /** Since 1970, in the order of time. */
  readonly seconds: readonly number[];
  /** Of the latest start signal of each second, ms; null without one. */
  readonly latenessMs: readonly (number | null)[];
  readonly controllers: readonly ControllerHistory[];
}

/** A command of a controller, as numbers. */
export interface CommandView {
  readonly t: number;
  readonly kind: string;
  readonly forwarded: boolean;
  /** Null: it is no finite number. */
  readonly numbers: Readonly<Record<string, number | null>>;
}

/** What `hlc-middleware certify` found about a controller. */
export interface Finding {
  /** When the certification ended, ISO 8601. */
  readonly time: string;
  /** Of the program that made it. */
  readonly version: string;
  /** Of the certified controller. */
  readonly vehicle_ids: readonly number[];
  readonly period_ms: number;
  /** Numbers of rules. */
  readonly passed: number;
  readonly failed: number;
  readonly not_tested: number;
  /** Those that were not passed. */
  readonly rules: readonly {
    readonly id: string;
    /** What a controller does that passes. */
    readonly title: string;
    readonly outcome: 'fail' | 'not-tested';
    /** What the certification saw. */
    readonly evidence: string;
    /** What to change. */
    readonly change: string;
  }[];
}
