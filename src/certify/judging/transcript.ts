import type { Command } from '../../core/index.js';

/**
 * What a certification does, in this order:
 * - `arrival`: waits for the ready signals;
 * - `steady`: start signals in every period, in real time;
 * - `strange`: start signals with empty lists, unknown vehicles and the like;
 * - `timing`: late start signals, left-out periods, and several start signals at once;
 * - `rejoin`: the middleware leaves, and a new one comes;
 * - `simulated`: steps of simulated time;
 * - `stop`: the stop trigger;
 * - `restart`: the controller is killed and started again.
 */
export type Phase =
  'arrival' | 'steady' | 'strange' | 'timing' | 'rejoin' | 'simulated' | 'stop' | 'restart';

/** Why a start signal is out of the ordinary. */
export type StartNote =
  /** In the rhythm, or the first of a phase. */
  | 'normal'
  /** With a list that a controller rarely sees. */
  | 'strange'
  /** Later than its time of the grid. */
  | 'late'
  /** After periods without a start signal. */
  | 'afterGap'
  /** One of several that were sent at once, and not the newest of them. */
  | 'held'
  /** The newest of several that were sent at once. */
  | 'newest'
  /** Simulated time: the next step is held back for a while. */
  | 'hold';

/** One thing that happened; `atNs` is the monotonic clock. */
export type TranscriptEvent = { readonly atNs: bigint } & (
  | { readonly kind: 'phase'; readonly phase: Phase }
  | {
      readonly kind: 'readySignal';
      readonly sourceId: string;
      /** GUID prefix of the sender's DDS participant, 24 hex digits. */
      readonly participant: string;
      /** The reader of a middleware, or one that takes whatever comes. */
      readonly receivedBy: 'middleware' | 'anyone';
    }
  /** A writer of the controller offers less than a middleware asks for. */
  | { readonly kind: 'refusedQos'; readonly topic: string; readonly policy: string }
  | { readonly kind: 'startSignal'; readonly tNowNs: bigint; readonly note: StartNote }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly participant: string;
      /** The wall clock at the same moment, ns since 1970. */
      readonly realtimeNs: bigint;
    }
  | { readonly kind: 'malformed'; readonly topic: string; readonly cause: string }
  | { readonly kind: 'stopTrigger' }
  /** The machine did not let this process run for that long, which ended now. */
  | { readonly kind: 'stall'; readonly forNs: bigint }
  | {
      readonly kind: 'process';
      readonly what: 'started' | 'killed' | 'ended';
      readonly how: string;
    }
);

/** An event of one kind. */
export type EventOf<K extends TranscriptEvent['kind']> = Extract<TranscriptEvent, { kind: K }>;

/** Everything that was seen of a controller. */
export interface Transcript {
  /** The vehicles that it is to drive. */
  readonly vehicleIds: readonly number[];
  readonly periodNs: bigint;
  /** In the order of their recording. */
  readonly events: readonly TranscriptEvent[];
}
