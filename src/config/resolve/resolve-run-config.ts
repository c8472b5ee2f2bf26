import { HlcError } from '../../errors/index.js';
import { realTimeGrid, type OverrunPolicy, type ResumePolicy } from '../../core/index.js';
import type { ChecksByName } from '../options/check-options.js';
import { controlSocketPath } from './control-socket.js';
import type { Environment } from '../sources/environment.js';
import { resolveDomains } from './domains.js';
import { conflict, type GivenValues } from '../sources/merge-sources.js';
import { resolveNaming } from './resolve-naming.js';
import { resolveSafety } from './safety.js';
import { rosParameterTable } from '../sources/ros/index.js';
import type { RunConfig } from './run-config.js';
import { alternatives, type RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';
import { refuseWithoutEffect } from './without-effect.js';

/** What the configuration takes over beside the options. */
export interface Circumstances {
  /** The policies of single checks. */
  readonly checks: ChecksByName;
  /** Arguments of the command line, for the log. */
  readonly ignoredArguments: readonly string[];
  /** For the default path of the control socket, and the domain of ROS 2. */
  readonly environment: Environment;
  readonly ros: Omit<RunConfig['ros'], 'parameters'>;
}

/**
 * Applies the rules between options and makes the configuration.
 * @throws HlcError `HLC_CONFIG_PERIOD_MISSING`, `HLC_CONFIG_CONFLICT`, `HLC_CONFIG_NEEDS`,
 *   `HLC_CONFIG_SAME_DOMAIN`, `HLC_CONFIG_MIXED_DOMAIN`, `HLC_ROS_SIM_TIME`, `HLC_TIME_OFFSET`.
 */
export const resolveRunConfig = (
  values: RunValues,
  given: GivenValues,
  { checks, ignoredArguments, environment, ros }: Circumstances,
): RunConfig => {
  refuseWithoutEffect(values, given);
  const { offsetNanoseconds: offsetNs, simulatedTime } = values;
  const timeSource = simulatedTime ? values.timeSource : 'lab';
  const periodNs = resolvePeriod(values, given);
  if (periodNs === null && timeSource === 'self') {
    throw new HlcError('HLC_CONFIG_PERIOD_MISSING', {});
  }
  if (periodNs !== null && !simulatedTime) realTimeGrid(periodNs, offsetNs);

  const vehicleIds = resolveVehicleIds(values, given);
  const activeVehicleIds = values.activeVehicleIds ?? (periodNs === null ? null : [...vehicleIds]);
  const domains = resolveDomains(values, given, environment);
  const { controlSocket: socket, nodeId } = values;
  const usesRos = [domains.labTransport, domains.controllerTransport].includes('ros2');
  if (usesRos && ros.useSimTime && !simulatedTime) throw new HlcError('HLC_ROS_SIM_TIME', {});

  return Object.freeze({
    nodeId,
    vehicleIds: Object.freeze(vehicleIds),
    activeVehicleIds: Object.freeze(activeVehicleIds),
    absentVehicles: values.absentVehicles,
    periodNs,
    offsetNs,
    simulatedTime,
    waitForStart: values.waitForStart && timeSource === 'lab',
    timeSource,
    ...domains,
    ...resolveNaming(values, given, domains),
    rosIdentity: values.rosIdentity,
    networkInterface: values.interface,
    localAddresses: values.localAddresses,
    initialPeers: Object.freeze(values.ddsInitialPeer ?? []),
    ros: Object.freeze({
      ...ros,
      parameters: rosParameterTable(given, {
        ddsDomain: String(domains.ddsDomain),
        domainNumber: String(domains.domainNumber),
      }),
    }),
    checkPolicy: values.checkPolicy,
    checks: Object.freeze(checks),
    compat: values.compat,
    missPolicy: values.missPolicy,
    missLimit: values.missLimit,
    graceNs: values.graceMs,
    holdPeriods: values.holdPeriods,
    brakingDeceleration: values.brakingDeceleration,
    safety: resolveSafety(values),
    resume: values.resume ?? defaultResume(values),
    overrun: overrunPolicyOf(values.overrunPolicy),
    admit: values.admit,
    listAdmitted: values.activeVehicleIds === undefined && periodNs !== null,
    readyTimeoutNs: values.readyTimeoutMs,
    parameterTimeoutNs: values.parameterTimeoutMs,
    startTimeoutNs: values.startTimeoutMs,
    replyTimeoutNs: values.replyTimeoutMs,
    replyTimeoutPolicy: values.replyTimeoutPolicy,
    autostart: values.autostart,
    interruptExitCode: values.interruptExitCode === '0' ? 0 : 130,
    controlSocket: controlSocketPath(socket, nodeId, environment, process.getuid?.() ?? 0),
    controlSocketRequired: socket !== 'auto' && socket !== 'off',
    ignoredArguments: Object.freeze(ignoredArguments),
    table: values.table,
    logLevel: values.logLevel,
    logFormat: values.logFormat,
    ...present({
      realTimeFactor: values.realTimeFactor,
      stepsUntilNs: values.stepsUntil,
      periods: values.periods,
      realtimePriority: values.realtimePriority,
      qosFile: values.qosFile,
      summary: values.summary,
    }),
  });
};

const defaultResume = ({ simulatedTime, compat }: RunValues): ResumePolicy => {
  if (simulatedTime) return 'auto';
  return compat === 'cpm-lab' ? 'trigger' : 'manual';
};

const overrunPolicyOf = (text: string): OverrunPolicy => {
  const [kind, limit] = text.split(':');
  if (limit !== undefined) return { kind: 'catchUp', limit: Number(limit) };
  return { kind: kind === 'halt' ? 'halt' : 'skip' };
};

const resolvePeriod = (values: RunValues, given: GivenValues): bigint | null => {
  refuseAlternatives(given, 'periodMs', () => false);
  return values.periodMs ?? values.periodNanoseconds ?? null;
};

/** The original lets the first of id, amount and list win; here they may not contradict. */
const resolveVehicleIds = (values: RunValues, given: GivenValues): number[] => {
  const { vehicleId, vehicleAmount, vehicleIds } = values;
  const idsOf = (key: RunOptionKey): number[] => {
    if (key === 'vehicleId' && vehicleId !== undefined) return [vehicleId];
    if (key === 'vehicleAmount' && vehicleAmount !== undefined) {
      return Array.from({ length: vehicleAmount }, (_, index) => index + 1);
    }
    return vehicleIds;
  };
  const sameIds = (first: RunOptionKey, second: RunOptionKey): boolean =>
    idsOf(first).join() === idsOf(second).join();
  return idsOf(refuseAlternatives(given, 'vehicleIds', sameIds));
};

/** The one of the alternatives that was given, or `fallback`. */
const refuseAlternatives = (
  given: GivenValues,
  fallback: RunOptionKey,
  agree: (first: RunOptionKey, second: RunOptionKey) => boolean,
): RunOptionKey => {
  const group = alternatives.find((keys) => keys.includes(fallback)) ?? [];
  const [first, ...others] = group.flatMap((key) => given.get(key) ?? []);
  if (first === undefined) return fallback;
  const contradiction = others.find((other) => !agree(first.key, other.key));
  if (contradiction !== undefined) throw conflict(first, contradiction);
  return first.key;
};

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the fields that have a value. */
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;
