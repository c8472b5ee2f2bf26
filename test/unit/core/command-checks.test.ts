import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  defaultCommandRules,
  policyForAll,
} from '../../../src/core/check-policy.js';
import { checkCommand, type CheckContext } from '../../../src/core/command-checks.js';
import type { Command, TrajectoryCommand } from '../../../src/core/command.js';
import { checkCodes, explainViolation } from '../../../src/core/violation.js';
import { base, MS, speedCommand } from './support.js';

const now = 1_700_000_000_000_000_000n;

const inOrder: CheckContext = {
  assigned: true,
  owned: true,
  takesPart: true,
  periodFromNs: now - 5n * MS,
  lastCreateNs: now - 50n * MS,
  movesFromNs: now - 50n * MS,
  nowNs: now,
  forwardedNs: now,
};

function failed(
  command: Command,
  context: Partial<CheckContext> = {},
  { settings } = defaultCommandRules,
) {
  return checkCommand(command, { ...inOrder, ...context }, settings).map(({ check }) => check);
}

const direct = (motor_throttle: number, steering_servo: number): Command => ({
  kind: 'direct',
  message: { ...base(1, now), motor_throttle, steering_servo },
});

/** A trajectory with points at these times after now, in ms, valid after `validMs`. */
const trajectory = (times: readonly number[], validMs = 0, px = 0): Command => ({
  kind: 'trajectory',
  message: {
    ...base(1, now, now + BigInt(validMs) * MS),
    trajectory_points: times.map((ms) => ({
      t: { nanoseconds: now + BigInt(ms) * MS },
      px,
      py: 0,
      vx: 1,
      vy: 0,
    })),
  },
});

const pathPoint = (s: number, x: number, y = 0, yaw = 0) => ({ s, pose: { x, y, yaw } });
const path = (points: readonly ReturnType<typeof pathPoint>[], speed = 1): Command => ({
  kind: 'pathTracking',
  message: { ...base(1, now), path: points, speed },
});
const circuit = [pathPoint(0, 0), pathPoint(1, 1), pathPoint(2, 0)];

describe('the checks of every command', () => {
  it('pass a command that is in order', () => {
    expect(failed(speedCommand(1, now))).toEqual([]);
    expect(failed(direct(1, -1))).toEqual([]);
    expect(failed(trajectory([-50, 50, 100]))).toEqual([]);
    expect(failed(path(circuit))).toEqual([]);
  });

  it('find an unknown vehicle, and look at nothing else then', () => {
    const context = { assigned: false, periodFromNs: null };
    expect(failed(speedCommand(1, now), context)).toEqual(['unknownVehicle']);
  });

  it('find a command without a period, or of a controller that is out', () => {
    expect(failed(speedCommand(1, now), { periodFromNs: null })).toEqual(['noPeriod']);
    expect(failed(speedCommand(1, now), { takesPart: false })).toEqual(['notTakingPart']);
  });

  it('find a command created in the future, beyond the tolerance', () => {
    expect(failed(speedCommand(1, now + 10n * MS))).toEqual([]);
    expect(failed(speedCommand(1, now + 10n * MS + 1n))).toEqual(['createdInFuture']);
    expect(failed(speedCommand(1, now + 1n), {}, cpmLabCommandRules)).toEqual(['createdInFuture']);
  });

  it('find a command created before the period', () => {
    // A millisecond is tolerated: clocks differ, and stamps are rounded.
    expect(failed(speedCommand(1, now - 6n * MS))).toEqual([]);
    expect(failed(speedCommand(1, now - 6n * MS - 1n))).toEqual(['createdBeforePeriod']);
  });

  it('find a command that is too old when it is forwarded', () => {
    const old = { forwardedNs: now + 1000n * MS };
    expect(failed(speedCommand(1, now), old)).toEqual([]);
    expect(failed(speedCommand(1, now - 1n), old)).toEqual(['tooOld']);
  });

  it('find a command that holds from too far ahead, and one whose stamp no stop can outrank', () => {
    expect(failed(speedCommand(1, now, now + 1000n * MS))).toEqual([]);
    expect(failed(speedCommand(1, now, now + 1000n * MS + 1n))).toEqual(['validTooFarAhead']);
    const latest = speedCommand(1, now, 2n ** 64n - 1n);
    expect(failed(latest, {}, cpmLabCommandRules)).toEqual(['validTooFarAhead']);
  });

  it('find speeds above the limit', () => {
    const at = (speed: number): Command => ({
      kind: 'speedCurvature',
      message: { ...base(1, now), speed, curvature: 0 },
    });
    expect(failed(at(5))).toEqual([]);
    expect(failed(at(-5.1))).toEqual(['tooFast']);
    const [violation] = checkCommand(at(5.000001), inOrder, defaultCommandRules.settings);
    expect(violation?.details).toEqual({ vehicleId: 1, speedMps: 5.000001, maxSpeedMps: 5 });
  });

  it('find a trajectory whose curve is faster than the limit between its points', () => {
    const standing = (ways: readonly number[]): Command => ({
      kind: 'trajectory',
      message: {
        ...base(1, now),
        trajectory_points: ways.map((px, second) => ({
          t: { nanoseconds: now + BigInt(second * 1000) * MS },
          ...{ px, py: 0, vx: 0, vy: 0 },
        })),
      },
    });
    // The curve is 1.5 times as fast as its mean speed.
    expect(failed(standing([0, 3.3, 6.6]))).toEqual([]);
    expect(failed(standing([0, 3.3, 6.8]))).toEqual(['tooFast']);
    expect(failed(standing([0, 3.3, 6.8]), {}, cpmLabCommandRules)).toEqual(['trajectoryNoPast']);
  });

  it('pass a trajectory on a curve at the highest speed, whose numbers are rounded', () => {
    const circle = (speed: number): Command => ({
      kind: 'trajectory',
      message: {
        ...base(1, now),
        trajectory_points: Array.from({ length: 100 }, (_, index) => {
          const [sin, cos] = [Math.sin((speed * index) / 20), Math.cos((speed * index) / 20)];
          const t = { nanoseconds: now + BigInt(index * 50) * MS };
          return { t, px: -cos, py: sin, vx: speed * sin, vy: speed * cos };
        }),
      },
    });
    const settings = { ...defaultCommandRules.settings, maxSpeedMps: 1.5 };
    const { message } = circle(1.5);
    const speeds = (message as TrajectoryCommand).trajectory_points.map(({ vx, vy }) =>
      Math.sqrt(vx * vx + vy * vy),
    );
    expect(Math.max(...speeds)).toBeGreaterThan(1.5);
    expect(checkCommand(circle(1.5), inOrder, settings)).toEqual([]);
    const [violation] = checkCommand(circle(1.52), inOrder, settings);
    expect(violation?.details).toEqual({ vehicleId: 1, speedMps: 1.52, maxSpeedMps: 1.5 });
  });

  it('find numbers that are larger than any in a lab', () => {
    expect(failed(trajectory([-10, 10, 1000], 0, 1.1e7))).toEqual(['tooLarge']);
    expect(failed(trajectory([-10, 10, 1000], 0, 1e300))).toEqual(['tooLarge']);
  });

  it('find a command that is not newer than the last', () => {
    expect(failed(speedCommand(1, now), { lastCreateNs: now })).toEqual(['notNewer']);
    expect(failed(speedCommand(1, now), { lastCreateNs: now - 1n })).toEqual([]);
    expect(failed(speedCommand(1, now), { lastCreateNs: undefined })).toEqual([]);
  });

  it('find every number that is not finite, wherever it stands', () => {
    const wrong = fc.constantFrom(Number.NaN, Infinity, -Infinity);
    const commands = wrong.chain((v) =>
      fc.constantFrom<[string, Command]>(
        ['motor_throttle', direct(v, 0)],
        ['steering_servo', direct(0, v)],
        ['speed', path(circuit, v)],
        ['trajectory_points[0].px', trajectory([-50, 50, 100], 0, v)],
        ['path[1].s', path([pathPoint(0, 0), pathPoint(v, 1), pathPoint(2, 0)])],
        ['path[2].pose.x', path([pathPoint(0, 0), pathPoint(1, 1), pathPoint(2, v)])],
        ['path[0].pose.y', path([pathPoint(0, 0, v), pathPoint(1, 1), pathPoint(2, 0)])],
        ['path[1].pose.yaw', path([pathPoint(0, 0), pathPoint(1, 1, 0, v), pathPoint(2, 0)])],
        [
          'curvature',
          { kind: 'speedCurvature', message: { ...base(1, now), speed: 1, curvature: v } },
        ],
      ),
    );
    fc.assert(
      fc.property(commands, ([field, command]) => {
        const found = checkCommand(command, inOrder, defaultCommandRules.settings);
        const violation = found.find(({ check }) => check === 'notFinite');
        expect(violation?.details).toEqual({ vehicleId: 1, field });
      }),
    );
  });

  it('find throttle and steering outside -1 to 1', () => {
    expect(failed(direct(1.0001, 0))).toEqual(['outOfRange']);
    expect(failed(direct(0, -2))).toEqual(['outOfRange']);
    expect(failed(direct(2, 2))).toEqual(['outOfRange', 'outOfRange']);
  });
});

describe('the checks of a trajectory', () => {
  it('find fewer than 3 points', () => {
    expect(failed(trajectory([-50, 50]))).toEqual(['trajectoryTooShort']);
    expect(failed(trajectory([]))).toEqual([
      'trajectoryTooShort',
      'trajectoryNoPast',
      'trajectoryNoFuture',
    ]);
  });

  it('find no past or no future point at the first instant of use', () => {
    expect(failed(trajectory([1, 50, 100]))).toEqual(['trajectoryNoPast']);
    expect(failed(trajectory([0, 50, 100]))).toEqual([]);
    expect(failed(trajectory([1, 50, 100], 40))).toEqual([]);
    expect(failed(trajectory([-100, -50, 0]))).toEqual(['trajectoryNoFuture']);
    expect(failed(trajectory([-100, -50, 10], 10))).toEqual(['trajectoryNoFuture']);
    // Valid long ago and over by now: no use to a vehicle.
    expect(failed(trajectory([-100, -50, -10], -60))).toEqual(['trajectoryNoFuture']);
  });

  it('let the plan of a vehicle that stands begin later', () => {
    const later = trajectory([2000, 2500, 3000], 1000);
    expect(failed(later, { movesFromNs: undefined })).toEqual([]);
    expect(failed(later, { movesFromNs: now + 1000n * MS })).toEqual([]);
    expect(failed(later, { movesFromNs: now + 1000n * MS - 1n })).toEqual(['trajectoryNoPast']);
    expect(failed(later, { movesFromNs: undefined }, cpmLabCommandRules)).toEqual([
      'trajectoryNoPast',
    ]);
  });

  it('measure against the message itself with the settings of the CPM Lab', () => {
    const cpm = (times: number[], validMs: number) =>
      failed(trajectory(times, validMs), {}, cpmLabCommandRules);
    expect(cpm([0, 50, 100], 0)).toEqual(['trajectoryNoPast']);
    expect(cpm([-100, -50, -10], -60)).toEqual([]);
    expect(cpm([-100, -50, -10], 0)).toEqual(['trajectoryNoFuture']);
  });

  it('find times that do not increase, at the first such point', () => {
    expect(failed(trajectory([-50, 50, 50]))).toEqual(['trajectoryTimeOrder']);
    const [violation] = checkCommand(
      trajectory([-50, -60, 50, 40]),
      inOrder,
      defaultCommandRules.settings,
    );
    expect(violation?.details).toEqual({ vehicleId: 1, index: 1 });
  });

  it('stop counting past points at the first that is not past', () => {
    expect(failed(trajectory([10, -50, 100]))).toEqual(['trajectoryNoPast', 'trajectoryTimeOrder']);
  });
});

describe('the checks of a path', () => {
  it('find fewer than 2 points, and an empty path without falling over it', () => {
    expect(failed(path([]))).toEqual(['pathTooShort']);
    expect(failed(path([pathPoint(0, 0)]))).toEqual(['pathTooShort']);
  });

  it('find a first s that is not 0, and an s that does not increase', () => {
    expect(failed(path([pathPoint(0.1, 0), pathPoint(1, 1), pathPoint(2, 0)]))).toEqual([
      'pathStart',
    ]);
    expect(failed(path([pathPoint(0, 0), pathPoint(1, 1), pathPoint(1, 0)]))).toEqual([
      'pathOrder',
    ]);
  });

  it('find first and last poses that differ by more than rounding and whole turns', () => {
    const ending = (x: number, yaw: number) =>
      failed(path([pathPoint(0, 0), pathPoint(1, 1), pathPoint(2, x, 0, yaw)]));
    expect(ending(0.0009, 2 * Math.PI)).toEqual([]);
    expect(ending(0.0011, 0)).toEqual(['pathNotClosed']);
    expect(ending(0, Math.PI)).toEqual(['pathNotClosed']);
    const exact = path([pathPoint(0, 0), pathPoint(1, 1), pathPoint(2, 1e-9)]);
    expect(failed(exact, {}, cpmLabCommandRules)).toEqual(['pathNotClosed']);
  });
});

describe('the rules for commands', () => {
  it('refuse by default whatever does not pass, and flag for the CPM Lab what it flags', () => {
    const names = Object.keys(checkCodes);
    expect(defaultCommandRules.policies).toEqual(policyForAll('reject'));
    const ofTheOriginal = names.filter((name) => /^(trajectory|path|created|unknown)/.test(name));
    expect(cpmLabCommandRules.policies).toEqual({
      ...policyForAll('ignore'),
      ...Object.fromEntries(ofTheOriginal.map((name) => [name, 'flag'])),
      // The original looks at the order of points in a path only.
      trajectoryTimeOrder: 'ignore',
    });
    expect(Object.keys(policyForAll('flag'))).toEqual(names);
  });

  it('name in plain words that a controller uses another clock than the run', () => {
    const day = 86_400n * 1000n * MS;
    const sentenceOf = (createNs: bigint, nowNs: bigint, toleranceNs: bigint) => {
      const [found] = checkCommand(
        speedCommand(1, createNs),
        { ...inOrder, lastCreateNs: undefined, periodFromNs: nowNs, nowNs, forwardedNs: nowNs },
        { ...defaultCommandRules.settings, maxAheadNs: null, pastToleranceNs: toleranceNs },
      );
      return found === undefined ? '' : explainViolation(found);
    };
    const wallNs = 20_000n * day;
    expect(sentenceOf(wallNs, 50n * MS, 0n)).toContain(
      '(in simulated time, those of the wall clock are)',
    );
    expect(sentenceOf(50n * MS, wallNs, 0n)).toContain('this run is in real time');
    const [noPast] = checkCommand(trajectory([2, 3, 4], 1), inOrder, defaultCommandRules.settings);
    if (noPast === undefined) throw new Error('a trajectory that begins too late passed');
    expect(explainViolation(noPast)).toContain('begins 1 ms after the vehicle needs it');
    const late = sentenceOf(wallNs - 2n * MS, wallNs, MS);
    expect(late).toContain('2 ms before the current period; the tolerance is 1 ms.');
    expect(late).toContain('--clock-tolerance-us');
  });

  it('have a code of their own for each check, and a sentence that names the vehicle', () => {
    const codes = Object.values(checkCodes);
    expect(new Set(codes).size).toBe(codes.length);
    const [violation] = checkCommand(direct(3, 0), inOrder, defaultCommandRules.settings);
    expect(violation?.code).toBe('HLC_COMMAND_OUT_OF_RANGE');
    expect(violation && explainViolation(violation)).toMatch(/vehicle 1 has motor_throttle = 3/);
  });

  it('pass whatever a careful controller sends', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: -4, max: 200 }), (steps, validMs) => {
        let ms = Math.max(validMs, 0) - (steps[0] ?? 1);
        const times = steps.map((step, i) => (i === 0 ? ms : (ms += step)));
        fc.pre(ms > Math.max(validMs, 0));
        expect(failed(trajectory(times, validMs))).toEqual([]);
      }),
    );
  });
});
