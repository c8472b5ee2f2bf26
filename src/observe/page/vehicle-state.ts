import type { PlanView, PlaybackView, VehicleView } from '../live/page-protocol.js';

/** The middleware reports a state of this age as stale, too: ms, and periods if these are longer. */
const staleMs = 1000;
const stalePeriods = 3;

/** What the page knows about the time of the middleware. */
export interface KnownTime {
  /** The newest time of the middleware, ms since 1970; 0: none yet. */
  readonly t: number;
  /** When it came, ms of this page. */
  readonly receivedAt: number;
  /** Simulated time of the last start signal, ms; null before the first, undefined in real time. */
  readonly simulatedMs: number | null | undefined;
}

/** Now: `t` as ms since 1970, and simulated time, ms. */
export type Now = Pick<KnownTime, 't' | 'simulatedMs'>;

/**
 * The middleware's time now, and in a recording that of its place.
 * @param pageMs ms of this page.
 */
export function nowOf(
  { t, receivedAt, simulatedMs }: KnownTime,
  playback: PlaybackView | undefined,
  pageMs: number,
): Now {
  if (t === 0) return { t, simulatedMs };
  const sinceMs = pageMs - receivedAt;
  if (playback === undefined) return { t: t + sinceMs, simulatedMs };
  const { isPaused, speed, to } = playback;
  return { t: isPaused ? t : Math.max(t, Math.min(to, t + speed * sinceMs)), simulatedMs };
}

/** Age of a state or of a plan, ms: in simulated time of that, which may stand still, or run fast. */
export function ageOf(
  { t, simulatedMs }: Pick<VehicleView, 't' | 'simulatedMs'>,
  now: Now,
): number {
  // Simulated time has not begun.
  if (now.simulatedMs === null) return 0;
  const isSimulated = simulatedMs !== undefined && now.simulatedMs !== undefined;
  // What is ahead of now is of the time before the clock was set back.
  return Math.abs(isSimulated ? now.simulatedMs - simulatedMs : now.t - t);
}

/** @param periodMs null: not known. */
export function isStale(ageMs: number, periodMs: number | null): boolean {
  return ageMs >= staleMs && ageMs > stalePeriods * (periodMs ?? 0);
}

/** The vehicle does not follow it any more: its last point is past, or no command has renewed it. */
export function isPlanOver(plan: PlanView, now: Now, periodMs: number | null): boolean {
  const { t, untilMs } = plan;
  if (untilMs === undefined || t > now.t) return isStale(ageOf(plan, now), periodMs);
  return (now.simulatedMs ?? now.t) > untilMs;
}
