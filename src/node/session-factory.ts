import type { RunConfig } from '../config/index.js';
import {
  LockStepSession,
  RealTimeSession,
  cpmLabCommandRules,
  defaultCommandRules,
  defaultJudgeDelay,
  policyForAll,
  type ClockReading,
  type CommandRules,
  type SupervisionConfig,
} from '../core/index.js';
import type { NestedSample } from '../messages/index.js';
import type { ReceivedCommand } from '../sides/index.js';

/** What the lab's parameter server may decide. */
export interface LabParameters {
  readonly periodNs: bigint;
  readonly activeVehicleIds: readonly number[];
}

/** Either kind of session, over the samples of the wire contract. */
export type NodeSession =
  | { readonly mode: 'real'; readonly session: RealSession }
  | { readonly mode: 'simulated'; readonly session: SimulatedSession };

/** A session in real time, over the samples of the wire contract. */
export type RealSession = RealTimeSession<NestedSample, NestedSample, ReceivedCommand>;
type SimulatedSession = LockStepSession<NestedSample, NestedSample, ReceivedCommand>;

/**
 * The session that the configuration asks for.
 * @throws HlcError `HLC_TIME_OFFSET` when the offset does not fit the period.
 */
export function createSession(
  config: RunConfig,
  parameters: LabParameters,
  now: ClockReading,
): NodeSession {
  const common = {
    vehicleIds: config.vehicleIds,
    offsetNs: config.offsetNs,
    periods: config.periods ?? null,
    readyTimeoutNs: config.readyTimeoutNs || null,
    startTimeoutNs: config.startTimeoutNs || null,
    rules: commandRules(config),
    supervision: supervisionConfig(config),
    admit: config.admit,
    listAdmitted: config.listAdmitted,
    ...parameters,
  };
  if (!config.simulatedTime) {
    const session: RealSession = new RealTimeSession(
      {
        ...common,
        waitForStart: config.waitForStart,
        overrun: config.overrun,
        judgeDelayNs: defaultJudgeDelay(parameters.periodNs),
      },
      now,
    );
    return { mode: 'real', session };
  }
  const session: SimulatedSession = new LockStepSession(
    {
      ...common,
      timeSource:
        config.timeSource === 'lab'
          ? { kind: 'lab' }
          : {
              kind: 'self',
              realTimeFactor: config.realTimeFactor ?? null,
              untilNs: config.stepsUntilNs ?? null,
            },
      replyTimeout:
        config.replyTimeoutNs === 0n
          ? null
          : { afterNs: config.replyTimeoutNs, policy: config.replyTimeoutPolicy },
    },
    now.monotonicNs,
  );
  return { mode: 'simulated', session };
}

function supervisionConfig(config: RunConfig): SupervisionConfig {
  const { missPolicy, missLimit, graceNs, holdPeriods, resume, brakingDeceleration } = config;
  return {
    ruleOf: (id) => ({
      policy: missPolicy.of(id),
      missLimit: missLimit.of(id),
      graceNs: graceNs.of(id),
      holdPeriods: holdPeriods.of(id),
      resume,
    }),
    brakingMps2: brakingDeceleration,
  };
}

/** Which commands pass: the compatible or the safe rules, with what the user changed in them. */
function commandRules(config: RunConfig): CommandRules {
  const base = config.compat === 'cpm-lab' ? cpmLabCommandRules : defaultCommandRules;
  return {
    ...base,
    policies: { ...policyForAll(config.checkPolicy), ...config.checks },
  };
}
