import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, poseAt, round } from '../../../examples/typescript/oval.js';
import { ovalLength, ovalPose, posesOnOval } from '../../../src/lab/index.js';

const place = fc.double({ min: -30, max: 30, noNaN: true });

describe('the oval', () => {
  it('lies within the lab', () => {
    fc.assert(
      fc.property(place, (s) => {
        const { x, y } = ovalPose(s);
        expect(x).toBeGreaterThanOrEqual(0.29);
        expect(x).toBeLessThanOrEqual(4.21);
        expect(y).toBeGreaterThanOrEqual(0.79);
        expect(y).toBeLessThanOrEqual(3.21);
      }),
    );
  });

  it('is one smooth curve whose heading points along it', () => {
    const ds = 1e-4;
    fc.assert(
      fc.property(place, (s) => {
        const here = ovalPose(s);
        const next = ovalPose(s + ds);
        const way = Math.atan2(next.y - here.y, next.x - here.x);
        expect(Math.hypot(next.x - here.x, next.y - here.y)).toBeCloseTo(ds, 9);
        expect(Math.cos(way - here.yaw)).toBeCloseTo(1, 6);
      }),
    );
  });

  it('begins again after one round', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10, noNaN: true }), (s) => {
        const here = ovalPose(s);
        const later = ovalPose(s + ovalLength);
        expect(Math.hypot(here.x - later.x, here.y - later.y)).toBeLessThan(1e-9);
      }),
    );
  });

  it('takes up vehicles with equal gaps', () => {
    const poses = posesOnOval(4);
    const gaps = poses.map((pose, index) => {
      const next = poses[(index + 1) % 4];
      return next ? Math.hypot(next.x - pose.x, next.y - pose.y) : NaN;
    });
    expect(gaps[0]).toBeCloseTo(gaps[2] ?? NaN, 9);
    expect(gaps[1]).toBeCloseTo(gaps[3] ?? NaN, 9);
    expect(poses[0]).toEqual(ovalPose(0));
  });

  it('is the figure that the TypeScript example drives', () => {
    expect(round).toBeCloseTo(ovalLength, 12);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10.5, noNaN: true }), (s) => {
        const [lab, example] = [ovalPose(s), poseAt(s)];
        expect(example.x).toBeCloseTo(lab.x, 9);
        expect(example.y).toBeCloseTo(lab.y, 9);
        expect(Math.cos(example.yaw - lab.yaw)).toBeCloseTo(1, 9);
        expect(ovalPose(placeOf(lab)).x).toBeCloseTo(lab.x, 9);
        expect(ovalPose(placeOf(lab)).y).toBeCloseTo(lab.y, 9);
      }),
    );
  });
});
