import { HlcError } from '../../errors/index.js';
import type { ChecksByName } from '../options/check-options.js';
import type { RunValues } from '../options/run-schema.js';
import type { Environment } from '../sources/environment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import { rosParameterTable } from '../sources/ros/index.js';
import { resolveControlSocket } from './control-socket.js';
import { refuseShorterThanPeriods, resolveEndTimeout, resolveSafety } from './resolve-safety.js';
import { resolveSession } from './resolve-session.js';
import { resolveSideKinds, resolveSides } from './resolve-sides.js';
import type { OutputSettings, RosSettings, RunConfig } from './run-config.js';
import { refuseWithoutEffect } from './without-effect.js';

/** What the configuration takes over beside the options. */
export interface Circumstances {
  /** The policies of single checks. */
  readonly checks: ChecksByName;
  /** Arguments of the command line, for the log. */
  readonly ignoredArguments: readonly string[];
  /** For the default path of the control socket, and the domain of ROS 2. */
  readonly environment: Environment;
  readonly ros: Omit<RosSettings, 'parameters'>;
}

/**
 * Applies the rules between options and makes the configuration.
 * @throws HlcError `HLC_CONFIG_VALUE`, `HLC_CONFIG_PERIOD_MISSING`, `HLC_CONFIG_CONFLICT`, `HLC_CONFIG_NEEDS`,
 *   `HLC_CONFIG_SAME_DOMAIN`, `HLC_CONFIG_MIXED_DOMAIN`, `HLC_ROS_SIM_TIME`, `HLC_TIME_OFFSET`.
 */
export function resolveRunConfig(
  values: RunValues,
  given: GivenValues,
  { checks, ignoredArguments, environment, ros }: Circumstances,
): RunConfig {
  const kinds = resolveSideKinds(values, given);
  refuseWithoutEffect(values, given, kinds);
  const session = resolveSession(values, given, resolveEndTimeout(values));
  if (session.periodNs !== null) refuseShorterThanPeriods(given, values, session.periodNs);
  const { lab, controller } = resolveSides(kinds, values, given, environment);
  const usesRos = [kinds.lab, kinds.controller].includes('rclnodejs');
  if (usesRos && ros.useSimTime && !values.simulatedTime)
    throw new HlcError('HLC_ROS_SIM_TIME', {});
  const { realtimePriority, qosFile } = values;
  const parameters = rosParameterTable(given, {
    ddsDomain: String(lab.domainId),
    domainNumber: String(controller.domainId),
  });
  return frozen({
    nodeId: values.nodeId,
    compat: values.compat,
    autostart: values.autostart,
    interruptExitCode: values.interruptExitCode === '0' ? 0 : 130,
    ...(realtimePriority !== undefined && { realtimePriority }),
    ignoredArguments,
    session,
    safety: resolveSafety(values, checks),
    sides: {
      lab,
      controller,
      rosIdentity: values.rosIdentity,
      ...(qosFile !== undefined && { qosFile }),
      ros: { ...ros, parameters },
    },
    output: outputSettings(values, environment),
  });
}

function outputSettings(values: RunValues, environment: Environment): OutputSettings {
  const { summary, record, table, logLevel, logFormat, controlSocket: choice, nodeId } = values;
  return {
    ...(summary !== undefined && { summary }),
    ...(record !== undefined && { record }),
    table,
    logLevel,
    logFormat,
    controlSocket: resolveControlSocket(choice, nodeId, environment, process.getuid?.() ?? 0),
  };
}

/** Freezes plain objects and arrays at any depth. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
