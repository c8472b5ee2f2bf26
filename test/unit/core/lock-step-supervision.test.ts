import { describe, expect, it } from 'vitest';
import type { ReplyTimeoutRule, ResumePolicy, SupervisionConfig } from '../../../src/core/index.js';
import { LockStepBench, P, stepTime } from './lock-step-bench.js';
import { kinds, MS, only, S, speedCommand, stops, writerOf } from './support.js';

const stopping = (resume: ResumePolicy): SupervisionConfig => ({
  ruleOf: () => ({
    policy: 'stop',
    missLimit: 3,
    stopAfterNs: null,
    graceNs: 0n,
    holdPeriods: 1,
    resume,
  }),
  stops,
  latched: [],
});

/** A session in its second step, both controllers having answered the first. */
function working(policy: ReplyTimeoutRule['policy'], resume: ResumePolicy = 'auto', periodNs = P) {
  const replyTimeout = { afterNs: 300n * MS, policy };
  const bench = new LockStepBench({ supervision: stopping(resume), replyTimeout, periodNs });
  bench.ready(1, 2);
  bench.reply(1, stepTime(0));
  bench.reply(2, stepTime(0));
  expect(bench.times).toHaveLength(2);
  return bench;
}

const state = (bench: LockStepBench) => bench.session.controllers()[1];

describe('a controller that is dropped from a step', () => {
  it('has its vehicle stopped, at the time of that step and of those that follow', () => {
    const bench = working('drop');
    bench.reply(1, stepTime(1));
    expect(kinds(bench.run(300n * MS))).toEqual([
      'replyTimeout',
      'commandVehicle',
      'safeStop',
      'controllerChanged',
      'sendStartSignal',
      'commandVehicle',
    ]);
    const stamps = only(bench.log, 'commandVehicle').map(({ command }) => command.message);
    expect(stamps.map(({ header }) => header.create_stamp.nanoseconds)).toEqual([
      stepTime(1),
      stepTime(2),
    ]);
    expect(only(bench.log, 'safeStop')).toEqual([
      { kind: 'safeStop', id: 2, cause: 'dropped', latched: false },
    ]);
  });

  it('has its vehicle at rest by states within the step, which is long', () => {
    const bench = working('drop', 'auto', 4n * S);
    const secondNs = bench.times.at(-1) ?? 0n;
    bench.reply(1, secondNs);
    bench.run(300n * MS);
    for (let t = 0n; t < 3n * S; t += 20n * MS) {
      const stampNs = secondNs + 4n * S + t;
      bench.handle({
        kind: 'vehicleState',
        sample: { vehicleId: 2, createStampNs: stampNs, validAfterNs: stampNs, payload: '' },
        motion: { speedMps: 0, pose: { x: 0, y: 0, yaw: 0 }, createStampNs: stampNs },
        receivedAtNs: bench.nowNs,
      });
      bench.run(20n * MS);
    }
    expect(bench.times).toHaveLength(3);
    const stopped = only(bench.log, 'vehicleStopped').filter(({ id }) => id === 2);
    // Before, it had sent no state at all.
    expect(stopped).toMatchObject([{ outcome: 'silent' }, { outcome: 'atRest' }]);
  });

  it('is back with its answer to the step of now, without a resume', () => {
    const bench = working('drop');
    bench.reply(1, stepTime(1));
    bench.run(300n * MS);
    bench.reply(2, stepTime(1));
    expect(state(bench)?.state).toBe('dead');
    bench.reply(2, stepTime(2));
    expect(state(bench)?.state).toBe('rejoining');
    bench.reply(1, stepTime(2));
    expect(state(bench)?.state).toBe('working');
  });

  it('waits for a resume where that is wanted, and the steps go on without it', () => {
    const bench = working('drop', 'manual');
    bench.reply(1, stepTime(1));
    bench.run(300n * MS);
    bench.reply(2, stepTime(2));
    bench.reply(1, stepTime(2));
    bench.reply(1, stepTime(3));
    expect(state(bench)).toMatchObject({ state: 'rejoining', latched: true });
    expect(kinds(bench.resume())).toEqual(['resumed']);
    bench.reply(1, stepTime(4));
    expect(state(bench)).toMatchObject({ state: 'working', latched: false });
    // Now it is waited for.
    bench.reply(1, stepTime(5));
    expect(bench.times).toHaveLength(6);
    bench.reply(2, stepTime(5));
    expect(bench.times).toHaveLength(7);
  });
});

describe('a controller whose process is gone during a step', () => {
  it('is waited for, and its vehicle is stopped', () => {
    const bench = working('wait');
    bench.reply(1, stepTime(1));
    expect(kinds(bench.lost(2))).toEqual(['commandVehicle', 'safeStop', 'controllerChanged']);
    const named = only(bench.run(10n * S), 'controllersMissing');
    expect(named.map(({ ids }) => ids)).toEqual(Array.from({ length: 10 }, () => [2]));
    expect(bench.times).toHaveLength(2);
  });

  it('continues time as soon as it is back', () => {
    const bench = working('wait');
    bench.reply(1, stepTime(1));
    bench.lost(2);
    // While simulated time stands, the vehicle may do so, too: its stop goes on with the time.
    const commands = only(bench.run(5n * S), 'commandVehicle');
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.length).toBeLessThan(35);
    expect(kinds(bench.run(5n * S))).not.toContain('commandVehicle');
    expect(kinds(bench.ready(2))).toEqual([
      'controllerChanged',
      'sendStartSignal',
      'controllerChanged',
      'commandVehicle',
    ]);
    expect(bench.times.at(-1)).toBe(stepTime(2));
  });

  it('leaves the others to go on at once by the policy to drop', () => {
    const bench = working('drop');
    bench.reply(1, stepTime(1));
    bench.lost(2);
    expect(bench.times).toHaveLength(3);
  });

  it('stops time when all that are left need a resume', () => {
    const bench = working('drop', 'manual');
    bench.lost(1);
    bench.lost(2);
    bench.ready(1);
    bench.ready(2);
    expect(bench.times).toHaveLength(2);
    bench.resume();
    expect(bench.times).toHaveLength(3);
  });
});

describe('a second process with the id of a controller', () => {
  it('does not satisfy the wait for it', () => {
    const bench = working('wait');
    bench.reply(1, stepTime(1));
    const atNs = bench.nowNs;
    for (const role of ['ready', 'command'] as const) {
      const writer = writerOf(12, role);
      bench.handle({ kind: 'writerChanged', writer, role, joined: true, atNs });
    }
    // The first one has a writer of commands of its own.
    const own = writerOf(2, 'command');
    bench.handle({ kind: 'writerChanged', writer: own, role: 'command', joined: true, atNs });
    const command = speedCommand(2, stepTime(1));
    const writer = writerOf(12, 'command');
    const receivedAtNs = atNs;
    const effects = bench.handle({ kind: 'command', command, writer, receivedAtNs, atNs });
    expect(kinds(effects)).toEqual(['refuseCommand', 'secondController']);
    expect(bench.times).toHaveLength(2);
    bench.reply(2, stepTime(1));
    expect(bench.times).toHaveLength(3);
  });
});

describe('a controller that the middleware did not wait for', () => {
  it('is waited for from the next step on', () => {
    const bench = new LockStepBench({ admit: 'any', listAdmitted: true });
    bench.ready(1, 2);
    bench.ready(5);
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    expect(only(bench.log, 'sendStartSignal').at(-1)?.activeVehicleIds).toEqual([1, 5]);
    bench.reply(1, stepTime(1));
    bench.reply(2, stepTime(1));
    expect(bench.times).toHaveLength(2);
    bench.reply(5, stepTime(1));
    expect(bench.times).toHaveLength(3);
  });

  it('is not waited for when it is gone before the first step', () => {
    const bench = new LockStepBench({ admit: 'any' });
    bench.ready(5);
    bench.lost(5);
    bench.ready(1, 2);
    expect(bench.times).toHaveLength(1);
  });
});

describe('a vehicle that an earlier run stopped', () => {
  const latched = [1, 7].map((id) => ({ id, kinds: ['speedCurvature'] as const }));
  const begin = (resume: ResumePolicy) =>
    new LockStepBench({ supervision: { ...stopping(resume), latched } });
  const stopped = (bench: LockStepBench) => only(bench.log, 'commandVehicle').map(({ id }) => id);

  it.each(['auto', 'manual', 'trigger'] as const)('is stopped at once with %s', (resume) => {
    const bench = begin(resume);
    bench.run(100n * MS);
    expect(new Set(stopped(bench))).toEqual(new Set([1, 7]));
    expect(bench.session.controllers().map(({ state }) => state)).toEqual(['dead', 'absent']);
  });

  it('is driven again without a resume only where the rule says so', () => {
    for (const [resume, state] of [
      ['auto', 'working'],
      ['manual', 'rejoining'],
    ] as const) {
      const bench = begin(resume);
      bench.ready(1, 2);
      expect(bench.session.controllers()[0]).toMatchObject({ state, latched: resume !== 'auto' });
    }
  });

  it('gets stops that outrank the stamps of that run', () => {
    const sent = { createNs: 5n * S, validNs: 6n * S };
    const bench = new LockStepBench({
      supervision: { ...stopping('manual'), latched: [{ id: 1, kinds: ['speedCurvature'], sent }] },
    });
    bench.run(100n * MS);
    const headers = only(bench.log, 'commandVehicle').map(({ command }) => command.message.header);
    expect(headers[0]?.create_stamp.nanoseconds).toBeGreaterThan(sent.createNs);
    expect(headers[0]?.valid_after_stamp.nanoseconds).toBeGreaterThan(sent.validNs);
  });
});

it('The end of a run does not count a vehicle as moving whose command holds 60 ms later', () => {
  const bench = working('wait');
  const command = speedCommand(1, stepTime(1), stepTime(1) + 60n * MS);
  const atNs = bench.nowNs;
  const writer = writerOf(1, 'command');
  bench.handle({ kind: 'command', command, writer, receivedAtNs: atNs, atNs });
  bench.handle({ kind: 'stop', atNs });
  expect(only(bench.run(5n * S), 'ended')).toMatchObject([{ moving: [] }]);
});
