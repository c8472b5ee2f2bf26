import { HlcError } from '../../errors/index.js';
import { cpmLabVehicle, type VehicleProfile } from '../../core/index.js';
import type { ProfileOptions } from './vehicles-options.js';

/**
 * The profile that these options stand for.
 * @throws HlcError `HLC_VEHICLES_PROFILE`.
 */
export function profileFrom({ kinds, timeoutMs }: ProfileOptions): VehicleProfile {
  return {
    kinds: kinds === undefined ? cpmLabVehicle.kinds : checkedKinds(kinds),
    timeoutNs: timeoutMs === undefined ? cpmLabVehicle.timeoutNs : timeoutFrom(timeoutMs),
  };
}

function checkedKinds(kinds: VehicleProfile['kinds']): VehicleProfile['kinds'] {
  const unknown = kinds.find((kind) => !cpmLabVehicle.kinds.includes(kind));
  if (unknown !== undefined) throw refused(`"${unknown}" is no kind of command`);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) throw refused(`"${twice}" is given twice`);
  return kinds;
}

function timeoutFrom(timeoutMs: number): bigint | null {
  if (!Number.isFinite(timeoutMs) || timeoutMs < 0) {
    throw refused(`${timeoutMs} ms is no time-out`);
  }
  return timeoutMs === 0 ? null : BigInt(Math.round(timeoutMs * 1e6));
}

function refused(cause: string): HlcError {
  return new HlcError('HLC_VEHICLES_PROFILE', { cause });
}
