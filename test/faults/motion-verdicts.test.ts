import { describe, expect, it } from 'vitest';
import { judgeStandstill, judgeStop, speedAt, type MotionSample } from '../support/motion.js';

const faultUs = 1_000_000;
const budget = { timeS: 1, distanceM: 1 };

/** A log of 200 samples a second that ends `untilS` after the fault. */
function motionOf(speed: (sinceFaultS: number) => number, untilS = 5): MotionSample[] {
  let s = 0;
  return Array.from({ length: Math.round((untilS + 1) * 200) }, (_, i) => {
    const t = i * 5000;
    const v = speed((t - faultUs) / 1e6);
    s += Math.abs(v) * 0.005;
    return { t, id: 1, v, s, target: v };
  });
}

/** 1 m/s until `fromS`, then down at 2 m/s². */
function brakesFrom(fromS: number): (t: number) => number {
  return (t) => Math.max(0, Math.min(1, 1 - 2 * (t - fromS)));
}

describe('the verdict on a stop', () => {
  it('has no objection to a vehicle that brakes in time and rests', () => {
    const { restS, distanceM, problems } = judgeStop(motionOf(brakesFrom(0.2)), faultUs, budget);
    expect(problems).toEqual([]);
    expect(restS).toBeCloseTo(0.7, 1);
    expect(distanceM).toBeCloseTo(0.45, 1);
  });

  it('has no objection to a vehicle that stood before', () => {
    const { restS, problems } = judgeStop(
      motionOf(() => 0),
      faultUs,
      budget,
    );
    expect({ restS, problems }).toEqual({ restS: 0, problems: [] });
  });

  it('names a vehicle that goes on', () => {
    const { restS, problems } = judgeStop(
      motionOf(() => 1),
      faultUs,
      budget,
    );
    expect(restS).toBe(Infinity);
    expect(problems).toEqual([
      'not at rest: 1.00 m/s 5.00 s after the fault',
      '4.99 m driven, budget 1.00 m',
    ]);
  });

  it('names a stop that comes late, and its distance', () => {
    const { problems } = judgeStop(motionOf(brakesFrom(0.9)), faultUs, budget);
    expect(problems).toEqual([
      'at rest after 1.40 s, budget 1.00 s',
      '1.15 m driven, budget 1.00 m',
    ]);
  });

  it('names a standing vehicle that a stop lets drive', () => {
    const speed = (t: number) => (t > 0.6 && t < 0.8 ? 0.42 : brakesFrom(0)(t));
    const { problems } = judgeStop(motionOf(speed), faultUs, budget);
    expect(problems).toEqual(['motion added: 0.00 to 0.42 m/s at 0.60 s']);
  });

  it('names a moving vehicle that becomes faster', () => {
    const { problems } = judgeStop(
      motionOf((t) => (t > 0 && t < 0.1 ? 1.2 : brakesFrom(0.1)(t))),
      faultUs,
      budget,
    );
    expect(problems[0]).toMatch(/^motion added: 1\.00 to 1\.20 m\/s/);
  });

  it('names a rest that does not last, backwards, too', () => {
    const speed = (t: number) => (t > 3 && t < 3.1 ? -0.03 : brakesFrom(0)(t));
    const { problems } = judgeStop(motionOf(speed), faultUs, budget);
    expect(problems).toEqual(['at rest after 3.10 s, budget 1.00 s']);
  });

  it('is not content with a log that ends too early', () => {
    const { problems } = judgeStop(motionOf(brakesFrom(0), 2), faultUs, budget);
    expect(problems).toEqual(['seen at rest for 1.50 s only']);
    expect(judgeStop([], faultUs, budget).problems).toHaveLength(1);
  });
});

it('a standstill ends with the first motion', () => {
  const motion = motionOf((t) => (t >= 2 ? 0.1 : 0));
  expect(judgeStandstill(motion, faultUs, faultUs + 1_900_000)).toEqual([]);
  expect(judgeStandstill(motion, faultUs, faultUs + 3_000_000)).toEqual([
    'moves at 0.10 m/s 2.00 s after its rest',
  ]);
});

it('the speed at an instant is that of the last sample before it', () => {
  expect(speedAt(motionOf(brakesFrom(0)), faultUs + 252_000)).toBeCloseTo(0.5);
  expect(speedAt([], faultUs)).toBe(0);
});
