import { HlcError } from '../../errors/index.js';
import { type OverrunPolicy, realTimeGrid } from '../../core/index.js';
import { alternatives, type RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';
import { conflict, type GivenValues } from '../sources/merge-sources.js';
import type { SessionSettings } from './run-config.js';

/**
 * The session part of the configuration.
 * @param endTimeoutNs maximum time for the stop of the vehicles at the end of a run, ns.
 * @throws HlcError `HLC_CONFIG_PERIOD_MISSING`, `HLC_CONFIG_CONFLICT`, `HLC_TIME_OFFSET`.
 */
export function resolveSession(
  values: RunValues,
  given: GivenValues,
  endTimeoutNs: bigint,
): SessionSettings {
  const { offsetNanoseconds: offsetNs, simulatedTime, timeSource } = values;
  const periodNs = resolvePeriod(values, given);
  if (periodNs === null && simulatedTime && timeSource === 'self') {
    throw new HlcError('HLC_CONFIG_PERIOD_MISSING', {});
  }
  if (periodNs !== null && !simulatedTime) realTimeGrid(periodNs, offsetNs);
  const vehicleIds = resolveVehicleIds(values, given);
  return {
    vehicleIds,
    activeVehicleIds: values.activeVehicleIds ?? (periodNs === null ? null : [...vehicleIds]),
    absentVehicles: values.absentVehicles,
    admit: values.admit,
    listAdmitted: values.activeVehicleIds === undefined && periodNs !== null,
    periodNs,
    offsetNs,
    periods: values.periods ?? null,
    readyTimeoutNs: values.readyTimeoutMs || null,
    startTimeoutNs: values.startTimeoutMs || null,
    parameterTimeoutNs: values.parameterTimeoutMs,
    endTimeoutNs,
    time: simulatedTime ? simulatedSettings(values) : realTimeSettings(values),
  };
}

function realTimeSettings({ waitForStart, overrunPolicy }: RunValues): SessionSettings['time'] {
  return { mode: 'real', waitForStart, overrun: overrunPolicyOf(overrunPolicy) };
}

function simulatedSettings(values: RunValues): SessionSettings['time'] {
  const { replyTimeoutMs: afterNs, replyTimeoutPolicy: policy } = values;
  return {
    mode: 'simulated',
    timeSource:
      values.timeSource === 'lab'
        ? { kind: 'lab' }
        : {
            kind: 'self',
            realTimeFactor: values.realTimeFactor ?? null,
            untilNs: values.stepsUntil ?? null,
          },
    replyTimeout: afterNs === 0n ? null : { afterNs, policy },
  };
}

function overrunPolicyOf(text: string): OverrunPolicy {
  const [kind, limit] = text.split(':');
  if (limit !== undefined) return { kind: 'catchUp', limit: Number(limit) };
  return { kind: kind === 'halt' ? 'halt' : 'skip' };
}

function resolvePeriod(values: RunValues, given: GivenValues): bigint | null {
  refuseAlternatives(given, 'periodMs', () => false);
  return values.periodMs ?? values.periodNanoseconds ?? null;
}

/** The original prefers id to amount and amount to list; here they must not contradict. */
function resolveVehicleIds(values: RunValues, given: GivenValues): readonly number[] {
  const { vehicleId, vehicleAmount, vehicleIds } = values;
  const idsOf = (key: RunOptionKey): readonly number[] => {
    if (key === 'vehicleId' && vehicleId !== undefined) return [vehicleId];
    if (key === 'vehicleAmount' && vehicleAmount !== undefined) {
      return Array.from({ length: vehicleAmount }, (_, index) => index + 1);
    }
    return vehicleIds;
  };
  const sameIds = (first: RunOptionKey, second: RunOptionKey): boolean =>
    idsOf(first).join() === idsOf(second).join();
  return idsOf(refuseAlternatives(given, 'vehicleIds', sameIds));
}

/** The one of the alternatives that was given, or `fallback`. */
function refuseAlternatives(
  given: GivenValues,
  fallback: RunOptionKey,
  agree: (first: RunOptionKey, second: RunOptionKey) => boolean,
): RunOptionKey {
  const group = alternatives.find((keys) => keys.includes(fallback)) ?? [];
  const [first, ...others] = group.flatMap((key) => given.get(key) ?? []);
  if (first === undefined) return fallback;
  const contradiction = others.find((other) => !agree(first.key, other.key));
  if (contradiction !== undefined) throw conflict(first, contradiction);
  return first.key;
}
