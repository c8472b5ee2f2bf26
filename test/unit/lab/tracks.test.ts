import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, poseAt, round } from '../../../examples/typescript/oval.js';
import { posesOnTrack, tracks, type TrackName } from '../../../src/lab/index.js';

const names = Object.keys(tracks) as TrackName[];
const place = fc.double({ min: -30, max: 30, noNaN: true });

/** Two places on a round are the same when this is 0, metres. */
function apart(one: number, other: number, length: number): number {
  const gap = (((one - other) % length) + length) % length;
  return Math.min(gap, length - gap);
}

describe.each(names)('track %s', (name) => {
  const track = tracks[name];

  it('leaves 0.3 m to the sides of the lab', () => {
    fc.assert(
      fc.property(place, (s) => {
        const { x, y } = track.poseAt(s);
        expect(x).toBeGreaterThanOrEqual(0.29);
        expect(x).toBeLessThanOrEqual(4.21);
        expect(y).toBeGreaterThanOrEqual(0.29);
        expect(y).toBeLessThanOrEqual(3.71);
      }),
    );
  });

  it('is one smooth curve whose heading points along it', () => {
    const ds = 1e-4;
    fc.assert(
      fc.property(place, (s) => {
        const here = track.poseAt(s);
        const next = track.poseAt(s + ds);
        const way = Math.atan2(next.y - here.y, next.x - here.x);
        expect(Math.hypot(next.x - here.x, next.y - here.y)).toBeCloseTo(ds, 9);
        expect(Math.cos(way - here.yaw)).toBeCloseTo(1, 6);
      }),
    );
  });

  it('begins again after one round', () => {
    fc.assert(
      fc.property(place, (s) => {
        const here = track.poseAt(s);
        const later = track.poseAt(s + track.length);
        expect(Math.hypot(here.x - later.x, here.y - later.y)).toBeLessThan(1e-9);
      }),
    );
  });

  it('knows the place of each of its poses, also of one beside it', () => {
    const beside = fc.double({ min: -0.1, max: 0.1, noNaN: true });
    fc.assert(
      fc.property(place, beside, (s, left) => {
        const { x, y, yaw } = track.poseAt(s);
        const pose = { x: x - left * Math.sin(yaw), y: y + left * Math.cos(yaw), yaw };
        expect(apart(track.placeOf(pose), s, track.length)).toBeLessThan(1e-6);
      }),
    );
  });

  it.each([1, 2, 3, 4, 7])('takes up %i vehicles with equal gaps on its ring', (count) => {
    const places = posesOnTrack(track, count).map((pose) => track.placeOf(pose) % track.ring);
    expect(apart(places[0] ?? NaN, 0, track.ring)).toBeLessThan(1e-9);
    const ring = places.sort((a, b) => a - b);
    const gaps = ring.map((s, i) => (ring[i + 1] ?? (ring[0] ?? 0) + track.ring) - s);
    for (const gap of gaps) expect(gap).toBeCloseTo(track.ring / count, 6);
  });
});

describe('the figure eight', () => {
  const track = tracks['figure-eight'];

  it('crosses itself half a round after its beginning', () => {
    const [first, second] = [track.poseAt(0), track.poseAt(track.ring)];
    expect(track.ring * 2).toBeCloseTo(track.length, 9);
    expect(Math.hypot(first.x - second.x, first.y - second.y)).toBeLessThan(1e-9);
    expect(Math.abs(first.yaw - second.yaw)).toBeGreaterThan(0.5);
  });
});

describe('the oval', () => {
  it('is the figure that the TypeScript example drives', () => {
    const { oval } = tracks;
    expect(round).toBeCloseTo(oval.length, 12);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10.5, noNaN: true }), (s) => {
        const [lab, example] = [oval.poseAt(s), poseAt(s)];
        expect(example.x).toBeCloseTo(lab.x, 9);
        expect(example.y).toBeCloseTo(lab.y, 9);
        expect(Math.cos(example.yaw - lab.yaw)).toBeCloseTo(1, 9);
        expect(oval.poseAt(placeOf(lab)).x).toBeCloseTo(lab.x, 9);
        expect(oval.poseAt(placeOf(lab)).y).toBeCloseTo(lab.y, 9);
      }),
    );
  });
});
