import { hermite } from '../hermite.js';
import { earlier, later, NS_PER_MS, NS_PER_S } from '../clock-reading.js';
import type { TrajectoryPoint } from '../command.js';

/**
 * Points of a braking profile between its beginning and rest; with those around them fewer than
 * the 100 to which the code generator of RTI bounds a sequence.
 */
const STEPS = 24;

/** Whoever could brake in less than this stands, s. */
const SHORTEST_S = 1e-3;

/** The profile reaches this far beyond now, ns: a vehicle needs a point in the future. */
const REST_NS = NS_PER_S;

/** The profile begins this long before braking does, ns: a vehicle needs a point in the past. */
const LEAD_NS = 50n * NS_PER_MS;

/** A place on the plan, m and m/s. */
interface PlanSample {
  readonly px: number;
  readonly py: number;
  readonly vx: number;
  readonly vy: number;
}

/**
 * A trajectory that brakes a vehicle on the path that was planned for it. The time of the plan
 * runs slower and slower until it stands, so the vehicle comes to rest on the planned path. On a
 * plan of constant speed the deceleration is `brakingMps2`; it is higher where the plan ends
 * earlier, or speeds up. Where the plan is over already, the vehicle rests at its last point.
 * @param plan the last trajectory: at least one point, times rising.
 * @param fromNs when braking begins, ns, on the clock of the points.
 * @param nowNs now, ns; at or after `fromNs`.
 * @param brakingMps2 m/s², above 0.
 * @returns 3 points or more, times rising, the first in the past and the last in the future; at
 *   the very beginning of simulated time there is no past, and no point in it.
 */
export function brakingTrajectory(
  plan: readonly TrajectoryPoint[],
  fromNs: bigint,
  nowNs: bigint,
  brakingMps2: number,
): TrajectoryPoint[] {
  const begin = planAt(plan, fromNs);
  const endNs = plan.at(-1)?.t.nanoseconds ?? fromNs;
  const speed = Math.hypot(begin.vx, begin.vy);
  const leftS = Math.max(0, seconds(endNs - fromNs));
  // Plan time σ(t) = t − t²/2D runs until D and covers D/2, which must not be beyond the plan.
  const durationS = Math.min(speed / brakingMps2, 2 * leftS);
  const leadNs = earlier(LEAD_NS, fromNs);
  const lead = leadNs > 0n ? [pointAt(fromNs - leadNs, movedBy(begin, -seconds(leadNs)))] : [];
  if (durationS < SHORTEST_S) return [...lead, ...restFrom(pointAt(fromNs, begin), nowNs)];
  const points = [...lead, pointAt(fromNs, begin)];
  for (let step = 1; step < STEPS; step++) {
    const t = (durationS * step) / STEPS;
    const slowdown = 1 - t / durationS;
    const at = planAt(plan, fromNs + nanoseconds(t - (t * t) / (2 * durationS)));
    points.push(
      pointAt(fromNs + nanoseconds(t), {
        ...at,
        vx: at.vx * slowdown,
        vy: at.vy * slowdown,
      }),
    );
  }
  const end = planAt(plan, fromNs + nanoseconds(durationS / 2));
  return [...points, ...restFrom(pointAt(fromNs + nanoseconds(durationS), end), nowNs)];
}

/** Rest at a place, from its time until after now. */
function restFrom({ t, px, py }: TrajectoryPoint, nowNs: bigint): TrajectoryPoint[] {
  const rest = { px, py, vx: 0, vy: 0 };
  const endNs = later(t.nanoseconds, nowNs) + REST_NS;
  return [pointAt(t.nanoseconds, rest), pointAt(endNs, rest)];
}

/** The plan at a time: as a vehicle reads it, at its first point before, and at rest after it. */
function planAt(plan: readonly TrajectoryPoint[], tNs: bigint): PlanSample {
  const next = plan.findIndex(({ t }) => t.nanoseconds >= tNs);
  const to = plan[next];
  const from = plan[next - 1];
  if (to === undefined) {
    const { px, py } = plan.at(-1) ?? { px: 0, py: 0 };
    return { px, py, vx: 0, vy: 0 };
  }
  if (from === undefined) return to;
  const lengthNs = to.t.nanoseconds - from.t.nanoseconds;
  const fraction = Number(earlier(tNs - from.t.nanoseconds, lengthNs)) / Number(lengthNs);
  const { x, y, dx, dy } = hermite(curve(from), curve(to), seconds(lengthNs), fraction);
  return { px: x, py: y, vx: dx, vy: dy };
}

function curve({ px, py, vx, vy }: TrajectoryPoint) {
  return { x: px, y: py, dx: vx, dy: vy };
}

function movedBy({ px, py, vx, vy }: PlanSample, dt: number): PlanSample {
  return { px: px + vx * dt, py: py + vy * dt, vx, vy };
}

function pointAt(tNs: bigint, { px, py, vx, vy }: PlanSample): TrajectoryPoint {
  return { t: { nanoseconds: tNs }, px, py, vx, vy };
}

function seconds(ns: bigint): number {
  return Number(ns) / Number(NS_PER_S);
}

function nanoseconds(s: number): bigint {
  return BigInt(Math.round(s * Number(NS_PER_S)));
}
