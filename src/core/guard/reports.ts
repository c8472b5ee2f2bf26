import type { SentCommands } from '../stop/supervised-vehicle.js';

/** What a middleware does, as its status says. */
export type MiddlewarePhase = 'waiting' | 'running' | 'stopping' | 'ended';

/** One status of a middleware. */
export interface MiddlewareReport {
  readonly sourceId: string;
  /** Differs between sessions. */
  readonly epoch: bigint;
  /** Time of the last start signal, ns; 0 before the first. */
  readonly tNowNs: bigint;
  readonly periodNs: bigint;
  readonly simulatedTime: boolean;
  readonly phase: MiddlewarePhase;
  readonly vehicles: readonly ReportedVehicle[];
  /** The stops of guards that the middleware has taken over, the oldest first. */
  readonly takenOver: readonly TakenOverStop[];
}

/** What was sent to a vehicle. */
export interface ReportedVehicle extends SentCommands {
  readonly id: number;
}

/** A vehicle that another program, or another thread, has stopped, and what was sent to it, these commands included. */
export interface StoppedVehicle extends ReportedVehicle {
  /** Speed that the command with the highest create stamp asks for, m/s, 0 or more; from then on it falls. */
  readonly speedMps: number;
}

/** A vehicle that a guard has stopped. */
export interface GuardStop extends StoppedVehicle {
  /** Above 0; a later stop of the same guard has a higher one. */
  readonly number: bigint;
}

/** A stop of a guard that a middleware has taken over: the vehicle is latched there. */
export interface TakenOverStop {
  /** Epoch of the guard. */
  readonly guard: bigint;
  readonly id: number;
  /** Of the stop. */
  readonly number: bigint;
}
