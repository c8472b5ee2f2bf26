import { expect, it } from 'vitest';
import type { TrajectoryPoint } from '../../../../src/core/command.js';
import { hermite } from '../../../../src/core/hermite.js';
import { Plan } from '../../../../src/core/stop/plan.js';

const nsPerS = 1e9;
const beginNs = 1_700_000_000_000_000_000n;

/** Places and velocities at a time, s: m, m, m/s, m/s. */
type Motion = (t: number) => { x: number; y: number; vx: number; vy: number };

const straight: Motion = (t) => ({ x: 1.5 * t, y: 2, vx: 1.5, vy: 0 });
const speedingUp: Motion = (t) => ({ x: t ** 2, y: 0, vx: 2 * t, vy: 0 });
const circle: Motion = (t) => ({
  x: 0.5 * Math.cos(2 * t),
  y: 0.5 * Math.sin(2 * t),
  vx: -Math.sin(2 * t),
  vy: Math.cos(2 * t),
});

function planOf(motion: Motion, times: readonly number[]): TrajectoryPoint[] {
  return times.map((t) => {
    const { x, y, vx, vy } = motion(t);
    const nanoseconds = beginNs + BigInt(Math.round(t * nsPerS));
    return { t: { nanoseconds }, px: x, py: y, vx, vy };
  });
}

/** 1 m to the front, and 0.8 m back from 2.2 s on. */
function thereAndBack(): TrajectoryPoint[] {
  return [
    ...planOf((t) => ({ x: t, y: 0, vx: 1, vy: 0 }), [0, 1]),
    ...planOf((t) => ({ x: 3 - t, y: 0, vx: -1, vy: 0 }), [2.2, 3]),
  ];
}

/** Where the curve through the points, which a vehicle follows, is at a part of its only segment, m. */
function onCurve([from, to]: readonly TrajectoryPoint[], part: number) {
  if (from === undefined || to === undefined) throw new Error('A segment has two points.');
  const lengthS = Number(to.t.nanoseconds - from.t.nanoseconds) / nsPerS;
  const end = ({ px, py, vx, vy }: TrajectoryPoint) => ({ x: px, y: py, dx: vx, dy: vy });
  return hermite(end(from), end(to), lengthS, part);
}

it.each([
  { name: 'a straight line', motion: straight, lengthS: 1 },
  { name: 'from rest to 2 m/s', motion: speedingUp, lengthS: 1 },
  { name: 'a circle of 0.5 m, in steps of 0.1 s', motion: circle, lengthS: 0.1 },
  { name: 'a quarter of a circle of 0.5 m', motion: circle, lengthS: Math.PI / 4 },
  { name: 'half a circle of 0.5 m', motion: circle, lengthS: Math.PI / 2 },
])('is exact to a millimeter at each time of $name', ({ motion, lengthS }) => {
  const points = planOf(motion, [0, lengthS]);
  const plan = new Plan(points);
  for (let step = 0; step < 100; step++) {
    const tNs = beginNs + BigInt(Math.round((lengthS * nsPerS * step) / 100));
    const path = plan.pathAt(tNs);
    const place = path?.at(path.atTime(tNs).s);
    const wanted = onCurve(points, step / 100);
    expect(Math.hypot((place?.x ?? NaN) - wanted.x, (place?.y ?? NaN) - wanted.y)).toBeLessThan(
      1e-3,
    );
  }
});

it('begins anew where the plan turns round', () => {
  const plan = new Plan(thereAndBack());
  const back = plan.pathAt(beginNs + 2_500_000_000n);
  expect(back?.at(0).dx).toBeCloseTo(-1, 1);
  expect(back?.at(back.length).x).toBeCloseTo(0, 6);
  const there = plan.pathAt(beginNs + 500_000_000n);
  expect(there?.at(0)).toMatchObject({ x: 0, y: 0 });
  expect(there?.length).toBeGreaterThan(1);
});

it('is the same whatever the plan was asked before', () => {
  const points = thereAndBack();
  const plan = new Plan(points);
  const asked = (first: Plan, ms: number) => {
    const tNs = beginNs + BigInt(ms) * 1_000_000n;
    const path = first.pathAt(tNs);
    return [path?.beginNs, path?.length, path?.atTime(tNs), path?.at(path.atTime(tNs).s)];
  };
  const times = Array.from({ length: 80 }, (_, i) => i * 50);
  // Forwards, backwards, and to and fro between now and the end of a hang.
  const toAndFro = times.flatMap((ms) => [ms, ms + 1050]);
  for (const ms of [...times, ...times.toReversed(), ...toAndFro]) {
    expect([ms, ...asked(plan, ms)]).toEqual([ms, ...asked(new Plan(points), ms)]);
  }
});

it('is none where time does not go on, or a number is no place', () => {
  const [first, second] = planOf(straight, [0, 1]);
  if (first === undefined || second === undefined) throw new Error('The plan has two points.');
  expect(new Plan([]).pathAt(beginNs)).toBeNull();
  expect(new Plan([second, first]).pathAt(beginNs)).toBeNull();
  expect(new Plan([first, first]).pathAt(beginNs)).toBeNull();
  expect(new Plan([first, { ...second, py: NaN }]).pathAt(beginNs)).toBeNull();
  expect(new Plan([first, { ...second, vx: 1e300 }]).pathAt(beginNs)).toBeNull();
});

it('reaches the end of a plan with a point in each millisecond', () => {
  const times = Array.from({ length: 3001 }, (_, i) => i / 1000 - 1);
  const path = new Plan(planOf(straight, times)).pathAt(beginNs);
  expect(path?.length).toBeCloseTo(4.5, 6);
  expect(path?.atTime(beginNs).speed).toBeCloseTo(1.5, 6);
  expect(path?.atTime(beginNs).s).toBeCloseTo(1.5, 6);
});

it('is exact near the vehicle, however long the plan is', () => {
  const circle: Motion = (t) => ({
    x: Math.cos(t),
    y: Math.sin(t),
    vx: -Math.sin(t),
    vy: Math.cos(t),
  });
  const times = Array.from({ length: 30_000 }, (_, i) => i / 20 - 1);
  const path = new Plan(planOf(circle, times)).pathAt(beginNs);
  const place = path?.at(path.atTime(beginNs).s);
  expect(Math.hypot((place?.x ?? NaN) - 1, place?.y ?? NaN)).toBeLessThan(2e-3);
  expect(path?.atTime(beginNs).speed).toBeCloseTo(1, 2);
});

it('reaches beyond the vehicle after a long rest in the plan', () => {
  const rest: Motion = () => ({ x: 0, y: 0, vx: 0, vy: 0 });
  const plan = [
    ...planOf(rest, [10, 50]),
    ...planOf((t) => ({ x: t - 50, y: 0, vx: 1, vy: 0 }), [51, 52, 53]),
  ];
  const nowNs = beginNs + 50_700_000_000n;
  const path = new Plan(plan).pathAt(nowNs);
  expect(path?.length).toBeGreaterThan(2);
  expect(path?.atTime(nowNs).speed).toBeGreaterThan(0.5);
});

it('is that of a plan whose last point rests for ever', () => {
  const [first, second] = planOf(straight, [0, 1]);
  if (first === undefined || second === undefined) throw new Error('The plan has two points.');
  const rests = { ...second, vx: 0, vy: 0 };
  const end = { ...rests, t: { nanoseconds: (1n << 64n) - 1n } };
  expect(new Plan([first, rests, end]).pathAt(beginNs)?.atTime(beginNs).speed).toBeCloseTo(1.5, 6);
});

it('finds where a path passes a point that is nearest to the expected place', () => {
  const lapM = 0.3 * Math.PI;
  const small: Motion = (t) => ({
    x: 0.15 * Math.cos(t / 0.15),
    y: 0.15 * Math.sin(t / 0.15),
    vx: -Math.sin(t / 0.15),
    vy: Math.cos(t / 0.15),
  });
  // Three laps at 1 m/s.
  const times = Array.from({ length: 30 }, (_, i) => (i * 3 * lapM) / 29);
  const path = new Plan(planOf(small, times)).pathAt(beginNs);
  for (const s of [0.1, 0.5, 1.2, 2, 2.7]) {
    const { x, y } = small(s);
    // 5 cm farther from the middle than the path.
    const near = path?.nearest((4 / 3) * x, (4 / 3) * y, s + 0.1);
    expect(near?.s).toBeCloseTo(s, 1);
    expect(near?.distance).toBeCloseTo(0.05, 2);
  }
});
