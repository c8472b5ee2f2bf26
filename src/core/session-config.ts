import type { CommandRules } from './check-policy.js';
import type { SupervisionConfig } from './supervision/miss-policy.js';

/** What a session of either kind is told once. */
export interface SessionConfig {
  /** The controllers to wait for: 0 to 255, at least one. */
  readonly vehicleIds: readonly number[];
  /** `any`: a controller that is not awaited is admitted when it signs in. */
  readonly admit: 'listed' | 'any';
  /** The vehicles to list. */
  readonly activeVehicleIds: readonly number[];
  /** True: the vehicle of an admitted controller is listed, too. */
  readonly listAdmitted: boolean;
  /** From one start signal to the next, ns, above 0. */
  readonly periodNs: bigint;
  /** Phase of the period, ns, 0 or more. */
  readonly offsetNs: bigint;
  /** End after this many start signals; null: do not end. */
  readonly periods: number | null;
  /** End when not all controllers are ready after this time, ns, above 0; null: wait for ever. */
  readonly readyTimeoutNs: bigint | null;
  readonly rules: CommandRules;
  readonly supervision: SupervisionConfig;
  /** At the end of a run, vehicles are brought to rest for this time at most, ns, above 0. */
  readonly endTimeoutNs: bigint;
}
