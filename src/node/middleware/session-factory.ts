import type { RunConfig } from '../../config/index.js';
import {
  cpmLabCommandRules,
  cpmLabLatestStart,
  cpmLabVehicle,
  defaultCommandRules,
  defaultJudgeDelay,
  defaultLatestStart,
  defaultStopAfter,
  later,
  nsPerMs,
  type CommandRules,
  type LatchedVehicle,
  type StopConfig,
  type SupervisionConfig,
  type SupervisionRule,
  type VehicleProfile,
} from '../../core/index.js';
import type { SessionSettings } from '../../tap/index.js';

/** Discovery of a guard, and several of its reports, ns. */
const listeningNs = 300n * nsPerMs;

/** What the lab's parameter server may decide. */
export interface LabParameters {
  readonly periodNs: bigint;
  readonly activeVehicleIds: readonly number[];
}

/**
 * The settings of the session that the configuration asks for.
 * @param latched vehicles that an earlier run stopped and no user has resumed.
 */
export function sessionSettings(
  config: RunConfig,
  parameters: LabParameters,
  latched: readonly LatchedVehicle[],
): SessionSettings {
  const { time, ...session } = config.session;
  const common = {
    ...session,
    ...parameters,
    rules: commandRules(config, parameters.periodNs),
    supervision: supervisionConfig(config, parameters.periodNs, latched),
  };
  if (time.mode === 'simulated') return { mode: 'simulated', config: { ...common, ...time } };
  const latestStart = config.compat === 'cpm-lab' ? cpmLabLatestStart : defaultLatestStart;
  const latestStartNs = latestStart(parameters.periodNs);
  const judgeDelayNs = defaultJudgeDelay(parameters.periodNs);
  const timing = { latestStartNs, judgeDelayNs, listeningNs };
  return { mode: 'real', config: { ...common, ...time, ...timing } };
}

function supervisionConfig(
  config: RunConfig,
  periodNs: bigint,
  latched: readonly LatchedVehicle[],
): SupervisionConfig {
  const { missPolicy, missLimit, graceNs, holdPeriods, resume } = config.safety;
  return {
    ruleOf: (id) => {
      const rule = {
        policy: missPolicy.of(id),
        missLimit: missLimit.of(id),
        graceNs: graceNs.of(id),
        holdPeriods: holdPeriods.of(id),
        resume,
      };
      return { ...rule, stopAfterNs: stopAfter(config, rule, periodNs) };
    },
    stops: stopConfig(config),
    latched,
  };
}

/** How vehicles are brought to rest. */
export function stopConfig(config: RunConfig): StopConfig {
  const { brakingMps2, zeroForNs } = config.safety;
  return { profile: vehicleProfile(config), brakingMps2, zeroForNs };
}

/** How the vehicles of this run take commands. */
function vehicleProfile({ safety }: RunConfig): VehicleProfile {
  return { ...cpmLabVehicle, timeoutNs: safety.vehicleTimeoutNs };
}

/** Longest time from the last reply of a controller to the stop, ns; null in simulated time. */
export function stopAfter(
  config: RunConfig,
  rule: Pick<SupervisionRule, 'policy' | 'missLimit' | 'holdPeriods'>,
  periodNs: bigint,
): bigint | null {
  if (config.session.time.mode === 'simulated') return null;
  const { stopAfterNs } = config.safety;
  // The lab may give a longer period than the flag is for.
  if (stopAfterNs !== null) return later(stopAfterNs, 2n * periodNs);
  const judgeDelayNs = defaultJudgeDelay(periodNs);
  return defaultStopAfter(rule, periodNs, judgeDelayNs, vehicleProfile(config));
}

/** The largest age of a command that is forwarded, in periods, and at least this, ns. */
const agePeriods = 2n;
const leastAgeNs = 50_000_000n;

/** Which commands pass: the compatible or the safe rules, with what the user changed in them. */
function commandRules(config: RunConfig, periodNs: bigint): CommandRules {
  const isCompatible = config.compat === 'cpm-lab';
  const base = isCompatible ? cpmLabCommandRules : defaultCommandRules;
  const { policies, maxSpeedMps, maxMagnitude, maxAheadNs, maxCommandAgeNs, clockToleranceNs } =
    config.safety;
  const futureToleranceNs = isCompatible
    ? compatibleTolerance(config)
    : later(base.settings.futureToleranceNs ?? 0n, clockToleranceNs);
  return {
    ...base,
    settings: {
      ...base.settings,
      futureToleranceNs,
      pastToleranceNs: isCompatible ? 0n : clockToleranceNs,
      maxSpeedMps,
      maxMagnitude,
      maxAheadNs,
      maxAgeNs:
        maxCommandAgeNs === 'byPeriod' ? later(agePeriods * periodNs, leastAgeNs) : maxCommandAgeNs,
    },
    policies,
  };
}

/** The original compares with the wall clock, also in simulated time: there nothing is ahead of it. */
function compatibleTolerance({ session }: RunConfig): bigint | null {
  return session.time.mode === 'simulated' ? null : 0n;
}
