import type { Command } from '../command.js';
import type { Stamps } from '../stop/stop-commands.js';
import type { StopConfig } from '../stop/supervised-vehicle.js';

/**
 * What follows when a controller does not reply, or is gone:
 * - `log`: it is reported, nothing else (CPM Lab middleware);
 * - `hold`: its last commands are repeated for some periods, then as `stop`;
 * - `stop`: the controller is out, and its vehicle is brought to rest.
 */
export type MissPolicy = 'log' | 'hold' | 'stop';

/**
 * How a stopped controller comes back, once it has signed in or answers again: with the next start
 * signal (`auto`), with the first one after a user resumes it (`manual`), or after that or a start
 * trigger of the lab (`trigger`).
 */
export type ResumePolicy = 'manual' | 'trigger' | 'auto';

/** How one controller is supervised. */
export interface SupervisionRule {
  readonly policy: MissPolicy;
  /** Misses in a row at which the policy acts; 1 or more. */
  readonly missLimit: number;
  /**
   * The vehicle is stopped at the latest when its controller's last reply is so old, ns, above 0;
   * null: misses alone decide.
   */
  readonly stopAfterNs: bigint | null;
  /** From its first start signal, or the first one after it came back, misses do not count, ns. */
  readonly graceNs: bigint;
  /** With `hold`: for this many misses the last commands are repeated; 1 or more. */
  readonly holdPeriods: number;
  readonly resume: ResumePolicy;
}

/** How all controllers are supervised. */
export interface SupervisionConfig {
  readonly ruleOf: (id: number) => SupervisionRule;
  readonly stops: StopConfig;
  /**
   * An earlier run stopped them: their controllers are out until they are back and, unless the rule
   * resumes them, a user resumes them. Some may have no controller in this run.
   */
  readonly latched: readonly LatchedVehicle[];
}

/** A vehicle, and what an earlier run may have sent to it; it may still move. */
export interface LatchedVehicle {
  readonly id: number;
  readonly kinds: readonly Command['kind'][];
  /** The highest stamps of all that was sent, ns; absent where they are not known. */
  readonly sent?: Stamps;
}
