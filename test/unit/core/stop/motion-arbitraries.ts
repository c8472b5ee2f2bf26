import fc from 'fast-check';
import type { Command, TrajectoryPoint } from '../../../../src/core/index.js';
import { base, MS, S } from '../support.js';

/** Where the clock of the stamps stands when the steady clock stands at 0, ns. */
export const T0 = 1_700_000_000n * S;

/** Any number, the impossible ones included. */
const anyNumber = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE, 1e300, 0) },
);

/** How far the stamps of a command are from the time of its forwarding, ns. */
const stampOffset = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0n) },
  { weight: 2, arbitrary: fc.bigInt({ min: -S, max: 10n * MS }) },
  { weight: 1, arbitrary: fc.constantFrom(10n * MS, 5n * S, 600n * S) },
);

/** A command that is forwarded at a time, with numbers and stamps of any kind. */
export interface Forwarding {
  readonly make: (nowNs: bigint) => Command;
}

function headed(nowNs: bigint, createOffNs: bigint, validOffNs: bigint) {
  return base(1, nowNs + createOffNs, nowNs + validOffNs);
}

const points = fc.array(
  fc.record({
    px: anyNumber,
    py: anyNumber,
    vx: anyNumber,
    vy: anyNumber,
    stepMs: fc.integer({ min: -20, max: 600 }),
  }),
  { maxLength: 12 },
);

function trajectory(
  nowNs: bigint,
  list: readonly (Omit<TrajectoryPoint, 't'> & { stepMs: number })[],
) {
  let t = nowNs - 100n * MS;
  return list.map(({ stepMs, ...point }) => {
    t += BigInt(stepMs) * MS;
    return { ...point, t: { nanoseconds: t } };
  });
}

export const forwarding: fc.Arbitrary<Forwarding> = fc
  .tuple(stampOffset, stampOffset)
  .chain(([createOff, validOff]) =>
    fc.oneof(
      fc.tuple(anyNumber, anyNumber).map(([motor_throttle, steering_servo]) => ({
        make: (nowNs: bigint): Command => ({
          kind: 'direct',
          message: { ...headed(nowNs, createOff, validOff), motor_throttle, steering_servo },
        }),
      })),
      fc.tuple(anyNumber, anyNumber).map(([speed, curvature]) => ({
        make: (nowNs: bigint): Command => ({
          kind: 'speedCurvature',
          message: { ...headed(nowNs, createOff, validOff), speed, curvature },
        }),
      })),
      points.map((list) => ({
        make: (nowNs: bigint): Command => ({
          kind: 'trajectory',
          message: {
            ...headed(nowNs, createOff, validOff),
            trajectory_points: trajectory(nowNs, list),
          },
        }),
      })),
      fc.tuple(anyNumber, anyNumber).map(([speed, s]) => ({
        make: (nowNs: bigint): Command => ({
          kind: 'pathTracking',
          message: {
            ...headed(nowNs, createOff, validOff),
            speed,
            path: [
              { pose: { x: 0, y: 0, yaw: 0 }, s: 0 },
              { pose: { x: s, y: 0, yaw: 0 }, s },
            ],
          },
        }),
      })),
    ),
  );
