import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { toS } from '../../../../src/core/time.js';
import { base, MS, S, speedCommand, stops } from '../support.js';
import { T0 } from './motion-arbitraries.js';

/** 1 m/s for 3 s from 0 m on. */
const plan: Command = {
  kind: 'trajectory',
  message: {
    ...base(1, T0),
    trajectory_points: [0n, 1n, 2n, 3n].map((s) => ({
      t: { nanoseconds: T0 + s * S },
      px: Number(s),
      py: 0,
      vx: 1,
      vy: 0,
    })),
  },
};

/** What is prepared for vehicle 1, which has followed its plan for 0.5 s, by occasion. */
function prepared(
  timeoutNs: bigint | null,
  act: (authority: StopAuthority) => void = () => undefined,
  x = 0.5,
  brakesAfterNs = 0n,
) {
  const profile = { ...stops.profile, timeoutNs };
  const authority = new StopAuthority({ ...stops, profile }, 50n * MS, 'real');
  const now = { steadyNs: 500n * MS, stampNs: T0 + 500n * MS };
  authority.forwarded(plan, { steadyNs: 0n, stampNs: T0 });
  const createStampNs = now.stampNs;
  authority.observe(1, { speedMps: 1, pose: { x, y: 0, yaw: 0 }, createStampNs }, now);
  act(authority);
  return new Map(
    authority.standStill(1, now, { hangAfterNs: S, brakesAfterNs }).map((still) => {
      const { command, occasion, keepsTimes } = still;
      const points = command.kind === 'trajectory' ? command.message.trajectory_points : [];
      const places = points.map(({ t, px, vx }) => ({
        afterNs: t.nanoseconds - now.stampNs,
        px,
        vx,
      }));
      return [occasion, { places, keepsTimes }];
    }),
  );
}

it('brakes on the plan from now on when it is sent now', () => {
  const { places = [], keepsTimes } = prepared(null).get('atOnce') ?? {};
  expect(keepsTimes).toBe(true);
  expect(places[1]).toMatchObject({ afterNs: 0n, vx: 1 });
  expect(places[1]?.px).toBeCloseTo(0.5, 6);
  // 1 m/s and 2 m/s² are 0.25 m in 0.5 s.
  expect(places.at(-2)).toMatchObject({ afterNs: 500n * MS, vx: 0 });
  expect(places.at(-2)?.px).toBeCloseTo(0.75, 6);
});

it.each([0.4, 0])('begins with the measured speed where that is only %s m/s', (mps) => {
  const slower = (authority: StopAuthority) => {
    const now = { steadyNs: 501n * MS, stampNs: T0 + 501n * MS };
    const pose = { x: 0.5, y: 0, yaw: 0 };
    authority.observe(1, { speedMps: mps, pose, createStampNs: now.stampNs }, now);
  };
  for (const laterNs of [0n, 80n * MS]) {
    const { places = [] } = prepared(null, slower, 0.5, laterNs).get('atOnce') ?? {};
    expect(Math.max(...places.map(({ vx }) => vx))).toBe(mps);
  }
});

it('brakes a little later when it is sent later, and says where the vehicle is until then', () => {
  const { places = [] } = prepared(null, () => undefined, 0.5, 80n * MS).get('atOnce') ?? {};
  const [first] = places;
  expect(first?.afterNs).toBeLessThanOrEqual(-50n * MS);
  expect(first?.px).toBeCloseTo(0.5 + toS(first?.afterNs ?? 0n), 6);
  expect(places[1]).toMatchObject({ afterNs: 80n * MS, vx: 1 });
  expect(places[1]?.px).toBeCloseTo(0.58, 6);
  expect(places.at(-1)?.px).toBeCloseTo(0.83, 6);
});

it('rests no farther than a stop that is under way when it is sent later', () => {
  const begin = (authority: StopAuthority) =>
    authority.begin(1, { steadyNs: 500n * MS, stampNs: T0 + 500n * MS }, []);
  const { places = [] } = prepared(null, begin, 0.5, S).get('atOnce') ?? {};
  for (const { px } of places) expect(px).toBeCloseTo(0.75, 6);
});

it('goes on with a stop whose last commands are old', () => {
  const authority = new StopAuthority(stops, 50n * MS, 'real');
  const momentAt = (ns: bigint) => ({ steadyNs: ns, stampNs: T0 + ns });
  authority.forwarded(plan, momentAt(0n));
  authority.begin(1, momentAt(500n * MS), []);
  const restAt = (ns: bigint) => {
    const [{ command } = { command: undefined }] = authority.standStill(1, momentAt(ns), null);
    return command?.kind === 'trajectory' ? command.message.trajectory_points.at(-1)?.px : NaN;
  };
  expect(restAt(650n * MS)).toBeCloseTo(0.75, 6);
  expect(restAt(3n * S)).toBeCloseTo(0.75, 6);
});

it('rolls on with a vehicle that brakes off its path', () => {
  const authority = new StopAuthority(stops, 50n * MS, 'real');
  const momentAt = (ns: bigint) => ({ steadyNs: ns, stampNs: T0 + ns });
  authority.forwarded(plan, momentAt(0n));
  const now = momentAt(500n * MS);
  const pose = { x: 0.5, y: 2, yaw: 0 };
  authority.observe(1, { speedMps: 1, pose, createStampNs: now.stampNs }, now);
  authority.begin(1, now, []);
  const [still] = authority.standStill(1, momentAt(650n * MS), null);
  if (still?.command.kind !== 'trajectory') throw new Error('It is a trajectory.');
  const { px, py } = still.command.message.trajectory_points[0] ?? { px: NaN, py: NaN };
  // 1 m/s less 2 m/s² for 0.15 s.
  expect([px, py]).toEqual([expect.closeTo(0.6275, 6), 2]);
});

it('commands speed 0 together with the trajectory for a hang only, never before it', () => {
  const authority = new StopAuthority(stops, 50n * MS, 'real');
  const now = { steadyNs: 500n * MS, stampNs: T0 + 500n * MS };
  authority.forwarded(plan, { steadyNs: 0n, stampNs: T0 });
  authority.forwarded(speedCommand(1, T0), { steadyNs: 0n, stampNs: T0 });
  const made = (hangAfterNs: bigint | null) =>
    authority
      .standStill(1, now, { hangAfterNs, brakesAfterNs: 80n * MS })
      .map(({ command, occasion }) => `${command.kind} ${occasion}`)
      .sort();
  expect(made(S)).toEqual([
    'speedCurvature unlessSuspended',
    'trajectory afterHang',
    'trajectory atOnce',
  ]);
  expect(made(null)).toEqual(['speedCurvature always', 'trajectory atOnce']);
});

it('commands all kinds on all occasions in simulated time, in which no vehicle moves on during a hang', () => {
  const authority = new StopAuthority(stops, 50n * MS, 'simulated');
  const now = { steadyNs: 0n, stampNs: T0 };
  authority.forwarded(plan, now);
  authority.forwarded(speedCommand(1, T0), now);
  const occasions = authority.standStill(1, now).map(({ occasion }) => occasion);
  expect(new Set(occasions)).toEqual(new Set(['always']));
});

// The last commands are 50 ms old when a hang of 1 s begins.
it('brakes on the plan from the hang limit on when it is sent after a hang', () => {
  const { places = [], keepsTimes } = prepared(null).get('afterHang') ?? {};
  expect(keepsTimes).toBe(true);
  expect(places[1]?.afterNs).toBe(1050n * MS);
  expect(places[1]?.px).toBeCloseTo(1.55, 6);
  expect(places[1]?.vx).toBeCloseTo(1, 6);
  // 1 m/s and 2 m/s² are 0.25 m.
  expect(places.at(-1)?.px).toBeCloseTo(1.8, 6);
});

it('expects a vehicle beside its plan to be near it after a hang', () => {
  const { places = [] } = prepared(null, () => undefined, 0.3).get('afterHang') ?? {};
  expect(places[1]?.px).toBeCloseTo(1.55 - 0.2 * Math.exp(-2.1), 6);
});

it('is as slow as a vehicle whose time-out is over, and between its place and that of the plan', () => {
  const { places = [] } = prepared(1400n * MS).get('afterHang') ?? {};
  expect(places[1]?.afterNs).toBe(1050n * MS);
  // 1 m/s less 2 m/s² for 0.15 s.
  expect(places[1]?.vx).toBeCloseTo(0.7, 6);
  // It is at 1.4 + 0.1275 m, the plan at 1.55 m.
  expect(places[1]?.px).toBeCloseTo(1.53875, 6);
});

it('stands where the time-out of the vehicle ended it', () => {
  const { places = [], keepsTimes } = prepared(1200n * MS).get('afterHang') ?? {};
  expect(keepsTimes).toBe(false);
  // At 1.2 m then; it brakes on 0.25 m at most, and perhaps harder.
  expect(places.map(({ px, vx }) => [px.toFixed(3), vx])).toEqual(Array(3).fill(['1.325', 0]));
});

it('is at rest where a stop will have ended', () => {
  const now = { steadyNs: 500n * MS, stampNs: T0 + 500n * MS };
  const { places = [], keepsTimes } =
    prepared(null, (authority) => authority.begin(1, now, [])).get('afterHang') ?? {};
  expect(keepsTimes).toBe(false);
  for (const { px, vx } of places) {
    expect(px).toBeCloseTo(0.75, 6);
    expect(vx).toBe(0);
  }
});

describe('prepared for a hang, a vehicle that stands', () => {
  /** Rests at a place, m, until a time, s, and then drives on at 1 m/s for 2 s. */
  const setsOut = (fromM: number, fromS: number, createNs = T0, validNs = createNs): Command => {
    const at = (s: number, place: number, vx: number) => {
      return {
        t: { nanoseconds: T0 + BigInt(Math.round(s * 1e9)) },
        px: fromM + place,
        py: 0,
        vx,
        vy: 0,
      };
    };
    const trajectory_points = [
      ...[at(-0.2, 0, 0), at(fromS, 0, 0)],
      ...[0.05, 0.5, 1, 1.5, 2].map((s) => at(fromS + s, s, 1)),
    ];
    return { kind: 'trajectory', message: { ...base(1, createNs, validNs), trajectory_points } };
  };

  /** The places and speeds after a hang that begins now. */
  const afterHang = (commands: readonly Command[], x: number, speedMps = 0) => {
    const profile = { ...stops.profile, timeoutNs: null };
    const authority = new StopAuthority({ ...stops, profile }, 50n * MS, 'real');
    const now = { steadyNs: 500n * MS, stampNs: T0 };
    for (const command of commands) {
      authority.forwarded(command, { steadyNs: 450n * MS, stampNs: T0 - 50n * MS });
    }
    authority.observe(1, { speedMps, pose: { x, y: 0, yaw: 0 }, createStampNs: T0 }, now);
    const stills = authority.standStill(1, now, { hangAfterNs: S, brakesAfterNs: 0n });
    const still = stills.find(({ occasion }) => occasion === 'afterHang');
    if (still?.command.kind !== 'trajectory') return [];
    return still.command.message.trajectory_points.map(({ px, vx }) => [px, vx] as const);
  };

  it('brakes on its plan, which has led it on meanwhile', () => {
    const places = afterHang([setsOut(0, 0.1)], 0);
    // 1.05 s after the begin of the hang.
    expect(places[1]?.[0]).toBeCloseTo(0.95, 1);
    expect(places[1]?.[1]).toBeCloseTo(1, 1);
  });

  it('rests where its plan rests then', () => {
    expect(afterHang([setsOut(0, 1.5)], 0)).toEqual(Array(3).fill([0, 0]));
  });

  it('rests where it is when its plan is elsewhere', () => {
    expect(afterHang([setsOut(2, 0.1)], 0)).toEqual(Array(3).fill([0, 0]));
  });

  it('brakes on the plan of a command whose time comes in the hang', () => {
    const rests = setsOut(0, 9, T0 - 50n * MS);
    const next = setsOut(0, 0.2, T0 - 40n * MS, T0 + 200n * MS);
    const places = afterHang([rests, next], 0);
    expect(places[1]?.[0]).toBeCloseTo(0.85, 1);
    expect(places[1]?.[1]).toBeCloseTo(1, 1);
  });
});
