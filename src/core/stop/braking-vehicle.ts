import { nsPerS, toS } from '../time.js';
import type { Forwarded, ForwardedCommands } from './forwarded-commands.js';
import { commandedSpeed, possible } from './stop-commands.js';
import { responseNs } from './stop-place.js';
import type { VehicleMotion } from './vehicle-motion.js';

/** A rolling vehicle that follows places lags behind a falling speed by this time, s. */
const lagS = 0.05;

/** The way on which a vehicle brakes from one speed to another, m. */
export function brakingWayM(fromMps: number, toMps: number, brakingMps2: number): number {
  return (fromMps ** 2 - toMps ** 2) / (2 * brakingMps2);
}

/** How long a vehicle brakes from a speed to rest, ns. @param speedMps finite. */
export function brakingNs(speedMps: number, brakingMps2: number): bigint {
  return BigInt(Math.ceil((speedMps / brakingMps2) * Number(nsPerS)));
}

/**
 * How a vehicle moves whose time-out may be over: from then on it brakes by itself, m/s and m; null while one of its
 * commands holds. `restsM` is a way after which it is near to rest, also when it brakes harder than declared.
 */
export function brakesAlone(
  obeyed: Forwarded,
  forwarded: ForwardedCommands,
  brakingMps2: number,
  nowNs: bigint,
): { readonly speedMps: number; readonly wayM: number; readonly restsM: number } | null {
  const kinds = forwarded.kindsInForce(nowNs);
  if (!kinds.every((kind) => forwarded.mayHaveTimedOut(kind, nowNs))) return null;
  const untilNs = forwarded.obeyedUntil(obeyed);
  if (untilNs === null || nowNs <= untilNs) return null;
  // Too old when it went out: the vehicle never obeyed it, unless it counts from its arrival.
  if (untilNs === obeyed.validFromNs) return { speedMps: 0, wayM: 0, restsM: 0 };
  const fromMps = commandedSpeed(obeyed, untilNs);
  const speedMps = Math.max(0, fromMps - brakingMps2 * toS(nowNs - untilNs));
  const restsM = brakingWayM(fromMps, 0, brakingMps2) / 2;
  return { speedMps, wayM: brakingWayM(fromMps, speedMps, brakingMps2), restsM };
}

/** How long a vehicle may still roll whose stop is not made here, or that brakes by itself, ns. */
export function rollingNs(
  forwarded: ForwardedCommands,
  motion: VehicleMotion,
  brakingMps2: number,
  nowNs: bigint,
): bigint {
  const last = forwarded.lastObeyed(nowNs);
  const commandedMps = last === null ? 0 : commandedSpeed(last, nowNs);
  // The measured speed may be of before the last command.
  const mps = Math.max(commandedMps, possible(Math.abs(motion.speedMps ?? 0)));
  return brakingNs(mps, brakingMps2);
}

/**
 * What a vehicle drives after a command that brakes from a speed, m. It responds late, and lags behind the
 * falling speed. Where no command followed for longer, since this program stood still, it braked by the
 * plan of that one.
 */
export function wayOfBraking(speedMps: number, passedS: number, brakingMps2: number): number {
  const responseS = toS(responseNs);
  const longestS = speedMps / brakingMps2;
  const brakedS = Math.min(Math.max(passedS - responseS, 0), longestS);
  const drivenS = Math.min(passedS, responseS + longestS);
  const lagsM = lagS * brakingMps2 * Math.min(passedS, responseS, longestS);
  return speedMps * drivenS - (brakingMps2 * brakedS ** 2) / 2 + lagsM;
}
