import { expect, it } from 'vitest';
import { stopSymbol, toS, type Command, type StandStill } from '../../../src/core/index.js';
import { StopAuthority } from '../../../src/core/stop/stop-authority.js';
import type { EmergencySample, EmergencyStop } from '../../../src/dds/index.js';
import { commandStampOffsets, topics } from '../../../src/messages/index.js';
import {
  EmergencySamples,
  preparedForNs,
  refreshEveryNs,
} from '../../../src/node/middleware/emergency-samples.js';
import type { TransportWriter } from '../../../src/ports/index.js';
import { base, MS, S, speedCommand, stops } from '../core/support.js';
import { stopIn } from './set-samples.js';

const atNs = 5n * S;
const stampNs = 1_700_000_000n * S;
const writer = {} as TransportWriter;
const still = (id: number): StandStill => {
  const command = speedCommand(id, stampNs);
  return {
    command: { ...command, message: { ...command.message, speed: 0 } },
    ahead: false,
    fromNs: null,
    stampNs,
    occasion: 'always',
    keepsTimes: false,
  };
};

/** Samples, those that are set, and the vehicles that were asked for. @param silent get no command */
function begun(silent: ReadonlySet<number> = new Set(), simulatedTime = false) {
  const set = new Map<number, EmergencySample>();
  const asked: (readonly number[])[] = [];
  const times: bigint[] = [];
  const samples = new EmergencySamples({
    emergencyStop: { ...stopIn(set), setTime: (ns) => void times.push(ns) },
    standStill: (_, ids) => {
      asked.push(ids);
      return ids.filter((id) => !silent.has(id)).map(still);
    },
    writerOf: () => writer,
    triggers: writer,
    nowNs: () => atNs,
    simulatedTime,
  });
  return { samples, set, asked, times };
}

it('has the stop trigger of the controllers from the beginning', () => {
  const { set } = begun();
  const [trigger] = [...set.values()].map(({ bytes }) => topics.systemTrigger.codec.decode(bytes));
  expect(trigger).toEqual({ next_start: { nanoseconds: stopSymbol } });
});

it('covers vehicles at their first commands of a kind, once these were handled, and no others', async () => {
  const { samples, set, asked } = begun();
  samples.commanded(speedCommand(2, stampNs));
  samples.commanded(speedCommand(2, stampNs + MS));
  expect(asked).toEqual([]);
  await Promise.resolve();
  expect(asked).toEqual([[2]]);
  samples.commanded(speedCommand(2, stampNs + 2n * MS));
  await Promise.resolve();
  expect(asked).toEqual([[2]]);
  const [, sample] = [...set.values()];
  expect(sample && topics.vehicleCommandSpeedCurvature.codec.decode(sample.bytes)).toEqual(
    still(2).command.message,
  );
});

it('has samples that hold by the clock of the vehicle, which may not have been set forward', () => {
  const { samples, set } = begun();
  samples.commanded(speedCommand(2, stampNs));
  samples.cover();
  const [, sample] = [...set.values()];
  expect(sample?.clockOffsetNs).toBe(stampNs - atNs);
  const times = sample?.patches.filter(({ isTime }) => isTime).map(({ offset }) => offset);
  expect(times).toEqual([commandStampOffsets.validAfter]);
});

it('makes the samples of a vehicle anew at the first command of its stop', async () => {
  const { samples, asked } = begun();
  samples.stopped(2);
  samples.commanded(speedCommand(2, stampNs));
  samples.cover();
  samples.stopped(2);
  samples.stopped(2);
  await Promise.resolve();
  expect(asked).toEqual([[2], [2]]);
  // It drives again, and is stopped again.
  samples.commanded(speedCommand(2, stampNs + MS));
  samples.stopped(2);
  samples.released(2);
  samples.stopped(2);
  await Promise.resolve();
  expect(asked).toEqual([[2], [2], [2]]);
});

it.each(['commanded', 'released'] as const)(
  'makes the samples of a vehicle anew when it is %s after its stop',
  async (how) => {
    const { samples, asked } = begun();
    samples.commanded(speedCommand(2, stampNs));
    samples.stopped(2);
    samples.cover();
    await Promise.resolve();
    const { length } = asked;
    if (how === 'commanded') samples.commanded(speedCommand(2, stampNs + MS));
    else samples.released(2);
    await Promise.resolve();
    expect(asked.slice(length)).toEqual([[2]]);
    samples.commanded(speedCommand(2, stampNs + 2n * MS));
    samples.released(2);
    await Promise.resolve();
    expect(asked.slice(length)).toEqual([[2]]);
  },
);

it('removes a sample that would not be right any more', () => {
  const silent = new Set<number>();
  const { samples, set } = begun(silent);
  for (const id of [1, 2]) samples.commanded(speedCommand(id, stampNs));
  samples.cover();
  expect(set.size).toBe(3);
  silent.add(2);
  samples.refresh(atNs);
  expect(set.size).toBe(2);
});

it('makes the samples of a few vehicles anew every 50 ms once they were commanded', () => {
  const { samples, asked } = begun();
  samples.refresh(atNs);
  expect(asked).toEqual([]);
  samples.commanded(speedCommand(1, stampNs));
  samples.commanded(speedCommand(3, stampNs));
  samples.refresh(atNs);
  samples.refresh(atNs + 49n * MS);
  expect(asked).toEqual([[1, 3]]);
  samples.refresh(atNs + 50n * MS);
  expect(asked).toEqual([
    [1, 3],
    [1, 3],
  ]);
});

it('makes the samples of a large fleet anew by quarters, each vehicle within 200 ms', () => {
  const { samples, asked } = begun();
  const fleet = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of fleet) samples.commanded(speedCommand(id, stampNs));
  for (let part = 0n; part < 4n; part++) samples.refresh(atNs + part * 50n * MS);
  expect(asked.map((ids) => ids.length)).toEqual([25, 25, 25, 25]);
  expect(asked.flat()).toEqual(fleet);
  samples.refresh(atNs + 200n * MS);
  expect(asked.at(-1)).toEqual(fleet.slice(0, 25));
});

it('makes the samples of all vehicles anew at once when that is overdue, after a stall', () => {
  const { samples, asked } = begun();
  const fleet = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of fleet) samples.commanded(speedCommand(id, stampNs));
  samples.refresh(atNs);
  samples.refresh(atNs + 150n * MS);
  expect(asked.map((ids) => ids.length)).toEqual([25, 75]);
  samples.refresh(atNs + 400n * MS);
  expect(asked.at(-1)).toEqual(fleet);
});

it('makes the samples of all vehicles anew with the first beat after a stall, however new they are', () => {
  const { samples, asked } = begun();
  const fleet = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of fleet) samples.commanded(speedCommand(id, stampNs));
  samples.refresh(atNs + 600n * MS);
  const { length } = asked;
  samples.refresh(atNs + 610n * MS, 600n * MS);
  samples.refresh(atNs + 620n * MS, 200n * MS);
  expect(asked.slice(length)).toEqual([fleet]);
});

/** Samples of vehicle 1, whose controller stamps its commands with a clock that is ahead, ns. */
function aheadBy(aheadNs: bigint) {
  const set = new Map<number, EmergencySample>();
  let passedNs = 0n;
  let newestNs = 0n;
  let renewals = 0;
  const samples = new EmergencySamples({
    emergencyStop: stopIn(set),
    standStill: (now) => {
      renewals++;
      const stampNowNs = stampNs + now - atNs;
      const createNs = newestNs < stampNowNs ? stampNowNs : newestNs + 1n;
      return [{ ...still(1), stampNs: stampNowNs, command: speedCommand(1, createNs) }];
    },
    writerOf: () => writer,
    triggers: writer,
    nowNs: () => atNs + passedNs,
    simulatedTime: false,
  });
  return {
    samples,
    pass: (ns: bigint) => void (passedNs += ns),
    renewals: () => renewals,
    command: async (moreNs = 0n) => {
      newestNs = stampNs + passedNs + aheadNs + moreNs;
      samples.commanded(speedCommand(1, newestNs));
      await Promise.resolve();
    },
    /** The stop that is written now, after the newest command by its create stamp, ns. */
    outranksBy: () => {
      const { bytes, patches, floorNs } = [...set.values()][1] ?? {
        bytes: new Uint8Array(64),
        patches: [],
        floorNs: 0n,
      };
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      const wallNs = stampNs + passedNs;
      const base = wallNs < floorNs ? floorNs : wallNs;
      const patch = patches.find(({ offset }) => offset === commandStampOffsets.create);
      const createNs =
        patch === undefined
          ? view.getBigUint64(commandStampOffsets.create, true)
          : base + patch.deltaNs;
      return createNs - newestNs;
    },
  };
}

for (const aheadMs of [100n, 390n, 3_600_000n]) {
  it(`outranks the commands after the samples were made, from a clock ${aheadMs} ms ahead`, async () => {
    const { samples, pass, command, outranksBy } = aheadBy(aheadMs * MS);
    for (let period = 0; period < 8; period++) {
      await command();
      expect(outranksBy()).toBeGreaterThan(0n);
      pass(70n * MS);
      if (period % 2 === 1) samples.refresh(atNs + BigInt(period + 1) * 70n * MS);
      expect(outranksBy()).toBeGreaterThan(0n);
    }
  });
}

it('outranks a command of a clock that jumps ahead', async () => {
  const { pass, command, outranksBy } = aheadBy(0n);
  await command();
  pass(10n * MS);
  await command(5n * S);
  expect(outranksBy()).toBeGreaterThan(0n);
  await command(10n * S);
  expect(outranksBy()).toBeGreaterThan(0n);
});

it('makes no samples anew for each command of a clock that is ahead', async () => {
  const { pass, command, renewals } = aheadBy(S);
  for (let period = 0; period < 20; period++) {
    await command();
    pass(10n * MS);
  }
  expect(renewals()).toBe(1);
});

/** Samples of vehicle 1, and when those that are written now hold from, s after now. */
function waiting(simulatedTime = false) {
  const set = new Map<number, EmergencySample>();
  let passedNs = 0n;
  const samples = new EmergencySamples({
    emergencyStop: stopIn(set),
    standStill: (nowNs) => [{ ...still(1), stampNs: stampNs + nowNs - atNs }],
    writerOf: () => writer,
    triggers: writer,
    nowNs: () => atNs + passedNs,
    simulatedTime,
  });
  const heldFromS = () =>
    [...set.values()].slice(1).map(({ bytes, patches }) => {
      if (patches.some(({ offset }) => offset === commandStampOffsets.validAfter)) return 0;
      const { header } = topics.vehicleCommandSpeedCurvature.codec.decode(bytes);
      return toS(header.valid_after_stamp.nanoseconds - (stampNs + passedNs));
    });
  return {
    samples,
    pass: (ns: bigint) => void (passedNs += ns),
    command: async (aheadNs: bigint) => {
      const createNs = stampNs + passedNs;
      samples.commanded(speedCommand(1, createNs, createNs + aheadNs));
      await Promise.resolve();
    },
    refresh: () => samples.refresh(atNs + passedNs),
    heldFromS: () => heldFromS().sort((a, b) => a - b),
  };
}

it('outranks each command that waits for its time, from then on', async () => {
  const { command, pass, refresh, heldFromS } = waiting();
  await command(0n);
  for (let period = 0; period < 3; period++) {
    await command(200n * MS);
    pass(50n * MS);
  }
  const expected = [0, 0.05, 0.1, 0.15].map((s) => expect.closeTo(s, 8) as number);
  expect(heldFromS()).toEqual(expected);
  refresh();
  expect(heldFromS()).toEqual(expected);
  // A command that has come into force is outranked by what is written then.
  pass(60n * MS);
  refresh();
  expect(heldFromS()).toHaveLength(3);
});

it('outranks the last one, and others in between, of more commands than it can cover', async () => {
  const { command, pass, heldFromS } = waiting();
  for (let period = 0; period < 500; period++) {
    await command(S);
    pass(2n * MS);
  }
  const heldS = heldFromS();
  expect(heldS.length).toBeLessThanOrEqual(33);
  expect(heldS.at(-1)).toBeCloseTo(0.998, 6);
  expect(Math.min(...heldS.filter((s) => s > 0))).toBeLessThan(0.2);
});

it('outranks no command that waits in simulated time: no time comes after a fault', async () => {
  const { command, heldFromS } = waiting(true);
  await command(0n);
  await command(200n * MS);
  expect(heldFromS()).toHaveLength(1);
});

it('has prepared samples that outrank the commands of the next 0.5 s of simulated time', async () => {
  const { samples, set, asked } = begun(undefined, true);
  const command = async (afterNs: bigint) => {
    samples.commanded(speedCommand(2, stampNs + afterNs, stampNs));
    await Promise.resolve();
  };
  const createNs = () => {
    const [, sample] = [...set.values()];
    const { codec } = topics.vehicleCommandSpeedCurvature;
    return sample && codec.decode(sample.bytes).header.create_stamp.nanoseconds;
  };
  await command(0n);
  expect(createNs()).toBe(stampNs + 500n * MS);
  await command(499n * MS);
  expect(asked).toHaveLength(1);
  await command(500n * MS);
  expect(asked).toHaveLength(2);
  // What is sent at once needs no time ahead.
  samples.coverAll();
  expect(createNs()).toBe(stampNs);
  expect(samples.sentAhead()).toEqual([]);
});

it('has both stamps of prepared samples go on with the simulated time', async () => {
  const { samples, set, times } = begun(undefined, true);
  samples.timeIs(stampNs);
  samples.commanded(speedCommand(2, stampNs));
  await Promise.resolve();
  const [, sample] = [...set.values()];
  const { create, validAfter } = commandStampOffsets;
  expect(sample?.patches).toEqual([
    { offset: create, deltaNs: 500n * MS },
    { offset: validAfter, deltaNs: 0n },
  ]);
  expect(sample?.floorNs).toBe(stampNs);
  samples.timeIs(stampNs + S);
  expect(times).toEqual([stampNs, stampNs + S]);
  // So they outrank a command that is as much newer, and what follows them is to outrank that.
  samples.commanded(speedCommand(2, stampNs + S));
  await Promise.resolve();
  expect([...set.values()][1]).toBe(sample);
  // One that holds from a later time on than they do is to be outranked, too.
  samples.commanded(speedCommand(2, stampNs + S, stampNs + S + 1n));
  await Promise.resolve();
  expect([...set.values()][1]).not.toBe(sample);
  const [sent] = samples.sentAhead();
  expect(sent?.newestCreateNs).toBeGreaterThanOrEqual(stampNs + S + 500n * MS + 20n);
  expect(sent?.newestValidNs).toBeGreaterThanOrEqual(stampNs + S + 20n);
});

it('says which samples have stamps that what follows a hang must outrank', async () => {
  const { samples, command } = aheadBy(S);
  expect(samples.sentAhead()).toEqual([]);
  await command();
  expect(samples.sentAhead()).toEqual([
    {
      id: 1,
      kinds: [],
      newestCreateNs: stampNs + S + 500n * MS + 1n,
      newestValidNs: 0n,
      obeyedUntilNs: null,
      speedMps: 0,
    },
  ]);
  const sane = aheadBy(0n);
  await sane.command();
  expect(sane.samples.sentAhead()).toEqual([]);
});

/** A vehicle at 1 m/s that follows its plan from 0 m on. */
const driving = (id: number, nowNs: bigint): Command => ({
  kind: 'trajectory',
  message: {
    ...base(id, stampNs + nowNs),
    trajectory_points: Array.from({ length: 12 }, (_, i) => {
      const tNs = nowNs + BigInt(i - 1) * 200n * MS;
      return { t: { nanoseconds: stampNs + tNs }, px: toS(tNs), py: 0, vx: 1, vy: 0 };
    }),
  },
});

for (const { periodMs, fleet, behindM } of [
  { periodMs: 10, fleet: 8, behindM: 0 },
  { periodMs: 50, fleet: 100, behindM: 0.15 },
  { periodMs: 400, fleet: 8, behindM: 0 },
  { periodMs: 400, fleet: 100, behindM: 0.15 },
]) {
  it(`keeps the place of rest near ${fleet} vehicles with a period of ${periodMs} ms, and at once in front of them`, () => {
    /** Where the samples rest, m. */
    const rests = new Map<number, number>();
    let nowNs = 0n;
    const authority = new StopAuthority(stops, BigInt(periodMs) * MS, 'real');
    const samples = new EmergencySamples({
      emergencyStop: {
        set: (key, sample) => {
          if (sample?.occasion !== 'atOnce') return rests.delete(key);
          const { trajectory_points } = topics.vehicleCommandTrajectory.codec.decode(sample.bytes);
          rests.set(key, trajectory_points.at(-1)?.px ?? NaN);
          return true;
        },
      } as EmergencyStop,
      standStill: (steadyNs, ids, made) => {
        const now = { steadyNs, stampNs: stampNs + steadyNs };
        const prepared = { hangAfterNs: S, ...made };
        return ids.flatMap((id) => authority.standStill(id, now, prepared));
      },
      writerOf: () => writer,
      triggers: writer,
      nowNs: () => nowNs,
      simulatedTime: false,
    });
    const everyMs = Number(refreshEveryNs / MS);
    for (let ms = 0; ms < 1700; ms++) {
      nowNs = BigInt(ms) * MS;
      if (ms % periodMs === 0) {
        for (let id = 1; id <= fleet; id++) {
          const command = driving(id, nowNs);
          const now = { steadyNs: nowNs, stampNs: stampNs + nowNs };
          authority.forwarded(command, now);
          const pose = { x: toS(nowNs), y: 0, yaw: 0 };
          authority.observe(id, { speedMps: 1, pose, createStampNs: now.stampNs }, now);
          samples.commanded(command);
        }
        samples.cover();
      }
      // The wake-ups of a period, and those that come when nothing else does.
      if (ms % Math.min(periodMs, 100) === 0) samples.refresh(nowNs);
      if (ms % everyMs === 7) samples.refresh(nowNs);
      const aheadM = [...rests.values()].map((restM) => restM - toS(nowNs));
      expect(aheadM.length).toBeGreaterThanOrEqual(fleet);
      // 1 m/s and 2 m/s² are 0.25 m.
      expect(Math.min(...aheadM)).toBeGreaterThan(0.25 - behindM - 1e-9);
      expect(Math.max(...aheadM)).toBeLessThan(0.25 + toS(preparedForNs) + 1e-9);
    }
    samples.coverAll();
    for (const restM of rests.values()) expect(restM - toS(nowNs)).toBeCloseTo(0.25, 6);
  });
}

for (const simulatedTime of [false, true]) {
  const mode = simulatedTime ? 'simulated' : 'real';
  it(`In ${mode} time all samples are made anew before an emergency stop, for now, as far as the rules work`, () => {
    const asked: (readonly number[])[] = [];
    const agesNs: bigint[] = [];
    const set = new Map<number, EmergencySample>();
    let broken: number | null = null;
    const samples = new EmergencySamples({
      emergencyStop: stopIn(set),
      standStill: (_, ids, { brakesAfterNs }) => {
        if (broken !== null && ids.includes(broken)) throw new Error('broken');
        asked.push(ids);
        agesNs.push(brakesAfterNs);
        return ids.map(still);
      },
      writerOf: () => writer,
      triggers: writer,
      nowNs: () => atNs,
      simulatedTime,
    });
    for (const id of [1, 2, 3]) samples.commanded(speedCommand(id, stampNs));
    samples.cover();
    const before = new Map(set);
    const { length } = asked;
    broken = 2;
    samples.coverAll();
    expect(asked.slice(length)).toEqual([[1], [3]]);
    expect(agesNs).toEqual([80n * MS, 0n, 0n]);
    const kept = [...set].filter(([key, sample]) => before.get(key) === sample);
    // The stop trigger, and vehicle 2.
    expect(kept).toHaveLength(2);
    expect(set.size).toBe(4);
  });
}
