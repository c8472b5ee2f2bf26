/**
 * What follows when a controller does not reply, or is gone:
 * - `log`: it is told, nothing else (CPM Lab middleware);
 * - `hold`: its last command is repeated for some periods, then as `stop`;
 * - `stop`: the controller is out, and its vehicle is brought to rest.
 */
export type MissPolicy = 'log' | 'hold' | 'stop';

/**
 * How a stopped controller comes back, once it has signed in or answers again: with the next start
 * signal (`auto`), or with the first one after a user has let it (`manual`).
 */
export type ResumePolicy = 'manual' | 'auto';

/** How one controller is supervised. */
export interface SupervisionRule {
  readonly policy: MissPolicy;
  /** Misses in a row at which the policy acts; 1 or more. */
  readonly missLimit: number;
  /** From its first start signal, or the first one after it came back, misses do not count, ns. */
  readonly graceNs: bigint;
  /** With `hold`: for so many misses the last command is repeated; 1 or more. */
  readonly holdPeriods: number;
  readonly resume: ResumePolicy;
}

/** How all controllers are supervised. */
export interface SupervisionConfig {
  readonly ruleOf: (id: number) => SupervisionRule;
  /** How vehicles brake on the path that was planned for them, m/s², above 0. */
  readonly brakingMps2: number;
}

/** Nothing follows a miss: what the CPM Lab middleware does. */
export const loggedOnly: SupervisionConfig = {
  ruleOf: () => ({ policy: 'log', missLimit: 1, graceNs: 0n, holdPeriods: 1, resume: 'auto' }),
  brakingMps2: 1,
};
