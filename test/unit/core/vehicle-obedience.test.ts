import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import {
  obeyedCommand,
  withoutOutranked,
  cpmLabVehicle,
  type VehicleProfile,
} from '../../../src/core/vehicle-obedience.js';

const second = 1_000_000_000n;
const t = 100n * second;
const kinds = cpmLabVehicle.kinds;

const bodies = {
  direct: { motor_throttle: 0, steering_servo: 0 },
  speedCurvature: { speed: 0, curvature: 0 },
  trajectory: { trajectory_points: [] },
  pathTracking: { path: [], speed: 0 },
};

function command(kind: Command['kind'], createNs: bigint, validAfterNs = createNs): Command {
  const header = {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validAfterNs },
  };
  return { kind, message: { vehicle_id: 1, header, ...bodies[kind] } } as Command;
}

const speed = (createNs: bigint, validAfterNs = createNs) =>
  command('speedCurvature', createNs, validAfterNs);
const obeyed = (received: readonly Command[], nowNs: bigint) =>
  obeyedCommand(cpmLabVehicle, received, nowNs);

describe('the command that a vehicle of the CPM Lab obeys', () => {
  it('is none before one came', () => {
    expect(obeyed([], t)).toBeNull();
  });

  it('is obeyed from its valid_after_stamp on, for exactly one second', () => {
    const only = speed(t, t + 5n);
    expect(obeyed([only], t + 4n)).toBeNull();
    expect(obeyed([only], t + 5n)).toBe(only);
    expect(obeyed([only], t + 5n + second - 1n)).toBe(only);
    expect(obeyed([only], t + 5n + second)).toBeNull();
  });

  it('is the newest one, whatever the order of arrival', () => {
    const [older, newer] = [speed(t), speed(t + 1n)];
    expect(obeyed([older, newer], t + 1n)).toBe(newer);
    expect(obeyed([newer, older], t + 1n)).toBe(newer);
  });

  it('is the later arrival of two with the same create stamp', () => {
    const [first, second] = [speed(t), speed(t)];
    expect(obeyed([first, second], t)).toBe(second);
  });

  it('stays the older one until the newer one is valid', () => {
    const [older, newer] = [speed(t), speed(t + 1n, t + 10n)];
    expect(obeyed([older, newer], t + 9n)).toBe(older);
    expect(obeyed([older, newer], t + 10n)).toBe(newer);
  });

  it('is none when the newest valid one is too old, even if an older one held later', () => {
    const [older, newest] = [speed(t, t + second), speed(t + 1n)];
    expect(obeyed([older, newest], t + second + 1n)).toBeNull();
  });

  it('is of the most direct kind that is younger than the time-out', () => {
    const received = kinds.map((kind, index) => command(kind, t + BigInt(index)));
    const [direct, curve, trajectory, path] = received;
    expect(obeyed(received.toReversed(), t + 3n)).toBe(direct);
    expect(obeyed(received, t + second)).toBe(curve);
    expect(obeyed(received, t + second + 1n)).toBe(trajectory);
    expect(obeyed(received, t + second + 2n)).toBe(path);
    expect(obeyed(received, t + second + 3n)).toBeNull();
  });

  it('is none of the future after the clock was set back', () => {
    expect(obeyed([speed(t)], t - 10n)).toBeNull();
  });
});

describe('another profile', () => {
  const patient: VehicleProfile = { kinds: ['pathTracking', 'direct'], timeoutNs: null };

  it('without a time-out obeys a command until the next one', () => {
    const [first, next] = [command('direct', t), command('direct', t + 3600n * second)];
    expect(obeyedCommand(patient, [first], t + 3600n * second)).toBe(first);
    expect(obeyedCommand(patient, [first, next], t + 3600n * second)).toBe(next);
  });

  it('has its own order, and obeys no kind that it does not name', () => {
    const [direct, path, curve] = [command('direct', t), command('pathTracking', t), speed(t)];
    expect(obeyedCommand(patient, [direct, path, curve], t)).toBe(path);
    expect(obeyedCommand(patient, [curve], t)).toBeNull();
  });
});

describe('commands without those that are outranked', () => {
  const anyCommand = fc
    .record({
      kind: fc.constantFrom(...kinds),
      create: fc.bigInt(0n, 20n),
      validAfter: fc.bigInt(0n, 40n),
    })
    .map(({ kind, create, validAfter }) => command(kind, t + create, t + validAfter));
  const anyProfile = fc.record({
    kinds: fc.shuffledSubarray([...kinds]),
    timeoutNs: fc.option(fc.bigInt(1n, 20n)),
  });

  it('lead to the same obeyed command, now and at every later time', () => {
    fc.assert(
      fc.property(
        anyProfile,
        fc.array(anyCommand),
        fc.array(anyCommand),
        fc.nat(60),
        fc.nat(60),
        (profile, before, after, nowPart, laterPart) => {
          const nowNs = t + BigInt(nowPart);
          const laterNs = nowNs + BigInt(laterPart);
          const all = [...before, ...after];
          const kept = [...withoutOutranked(before, nowNs), ...after];
          expect(obeyedCommand(profile, kept, laterNs)).toBe(obeyedCommand(profile, all, laterNs));
        },
      ),
    );
  });

  it('are one of each kind at most when all are valid', () => {
    const many = Array.from({ length: 100 }, (_, i) => speed(t + BigInt(i)));
    expect(withoutOutranked(many, t + 100n)).toEqual([many.at(-1)]);
  });
});
