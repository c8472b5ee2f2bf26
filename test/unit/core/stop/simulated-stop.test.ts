import { describe, expect, it } from 'vitest';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { Follower, line, plan, promptly, slowly, softly, stepNs } from './place-follower.js';
import { path, speedOf } from './stop-bench.js';

interface Run {
  readonly periodNs: bigint;
  /** Simulated time passes so many times as fast as real time. */
  readonly pace: number;
  readonly follows: typeof promptly;
  /** The stop begins so long after the last step, simulated, ns. */
  readonly afterStepNs?: bigint;
  /** Time stands for so long, 100 ms after the stop, real, ns. */
  readonly standsNs?: bigint;
  /** Then the stop is finished: time goes on without this program. */
  readonly isFinished?: boolean;
  /** Its states have stamps. */
  readonly isStamped?: boolean;
}

/** A vehicle at 1 m/s in simulated time, which it drives by; it is stopped after 5 s, and judged for 6 s more. */
function stopped({
  periodNs,
  pace,
  follows,
  afterStepNs = 0n,
  standsNs = 0n,
  isFinished = false,
  isStamped = true,
}: Run) {
  const authority = new StopAuthority(
    { ...stops, profile: { ...stops.profile, timeoutNs: null } },
    periodNs,
    'simulated',
  );
  const horizonNs = 2n * S + 3n * periodNs;
  const vehicle = new Follower(plan(line(1), 0n, horizonNs), 1, follows, null, false);
  const beginNs = ((5n * S) / periodNs) * periodNs + afterStepNs;
  let realNs = 77n * S;
  let stepAtNs = 0n;
  let isOver = false;
  const begin = { x: 0, fastest: 0, slowest: Infinity, rise: 0, highest: 0, back: 0 };
  const act = () => {
    if (isOver || (authority.nextAtNs ?? realNs + 1n) > realNs) return;
    const effects: TestEffect[] = [];
    authority.act({ steadyNs: realNs, stampNs: T0 + stepAtNs }, effects);
    obey(effects);
  };
  const obey = (effects: readonly TestEffect[]) => {
    for (const { command } of only(effects, 'commandVehicle')) {
      if (command.kind === 'trajectory') vehicle.command = command;
    }
  };
  for (let ns = 0n; ns < beginNs + 6n * S; ns += stepNs) {
    const now = () => ({ steadyNs: realNs, stampNs: T0 + stepAtNs });
    if (ns % periodNs === 0n && !isOver) {
      stepAtNs = ns;
      if (ns < beginNs) {
        vehicle.command = plan(line(1), ns, horizonNs);
        authority.forwarded(vehicle.command, now());
      }
    }
    if (ns % (20n * MS) === 0n) {
      const pose = { x: vehicle.x, y: 0, yaw: 0 };
      const received = { steadyNs: realNs, stampNs: T0 + stepAtNs + periodNs };
      const createStampNs = isStamped ? T0 + ns : 0n;
      authority.observe(1, { speedMps: vehicle.v, pose, createStampNs }, received);
    }
    if (ns === beginNs) {
      const effects: TestEffect[] = [];
      authority.begin(1, now(), effects);
      obey(effects);
      Object.assign(begin, { x: vehicle.x });
    }
    act();
    if (ns === beginNs + 100n * MS && standsNs > 0n) {
      for (const endNs = realNs + standsNs; realNs < endNs; realNs += stepNs) act();
      if (isFinished) {
        expect(authority.haveStoodSince(realNs - S, [1])).toBe(true);
        const effects: TestEffect[] = [];
        authority.finish(1, now(), effects);
        obey(effects);
        isOver = true;
      }
    }
    vehicle.step(ns);
    realNs += BigInt(Math.round(Number(stepNs) / pace));
    if (ns < beginNs) continue;
    begin.fastest = Math.max(begin.fastest, vehicle.v);
    begin.slowest = Math.min(begin.slowest, vehicle.v);
    begin.rise = Math.max(begin.rise, vehicle.v - begin.slowest);
    begin.highest = Math.max(begin.highest, vehicle.x);
    begin.back = Math.max(begin.back, begin.highest - vehicle.x);
  }
  return {
    wayM: vehicle.x - begin.x,
    restS: Number(vehicle.movedAtNs - beginNs) / 1e9,
    fastestMps: begin.fastest,
    riseMps: begin.rise,
    backM: begin.back,
  };
}

describe('a stop in simulated time', () => {
  const vehicles = { promptly, slowly, softly };
  const cases = Object.entries(vehicles).flatMap(([name, follows]) =>
    [0.1, 1, 20].map((pace) => ({ name, follows, pace })),
  );

  const expectRest = (run: ReturnType<typeof stopped>, words: string, isSeen = true) => {
    expect(run.fastestMps, words).toBeLessThan(1.05);
    // Where it is seen, the way by which it lags is known.
    expect(run.backM, words).toBeLessThan(isSeen ? 0.03 : 0.15);
    expect(run.riseMps, words).toBeLessThan(isSeen ? 0.05 : 0.2);
    // Half a second by its deceleration, and what it lags behind.
    expect(run.restS, words).toBeLessThan(isSeen ? 1.1 : 1.7);
    expect(run.wayM, words).toBeLessThan(0.5);
  };

  it.each(cases)('brakes by the time of the vehicle, $name, at pace $pace', (run) => {
    for (const periodMs of [20n, 50n, 200n, 500n, 1000n, 2000n]) {
      for (const part of [0n, 1n, 2n]) {
        const periodNs = periodMs * MS;
        const afterStepNs = ((part * periodNs) / (60n * MS)) * 20n * MS;
        const drive = { ...run, periodNs, afterStepNs };
        expectRest(stopped(drive), `T ${periodMs} ms, ${afterStepNs} ns after a step`);
      }
    }
  });

  it.each(cases)('goes on where time goes on that stood for 3 s, $name, at pace $pace', (run) => {
    for (const periodMs of [50n, 500n, 2000n]) {
      const drive = { ...run, periodNs: periodMs * MS, standsNs: 3n * S };
      expectRest(stopped(drive), `T ${periodMs} ms`);
    }
  });

  it.each(cases)('holds when time goes on after the end of the run, $name, pace $pace', (run) => {
    for (const periodMs of [50n, 500n, 2000n]) {
      const drive = { ...run, periodNs: periodMs * MS, standsNs: 2n * S, isFinished: true };
      expectRest(stopped(drive), `T ${periodMs} ms`, false);
    }
  });

  it('slows down a vehicle on a path by the time of the program, which may stand for it', () => {
    const authority = new StopAuthority(stops, 50n * MS, 'simulated');
    const now = (ns: bigint) => ({ steadyNs: ns, stampNs: T0 });
    authority.forwarded(path(1), now(0n));
    const effects: TestEffect[] = [];
    authority.begin(1, now(0n), effects);
    for (let ns = 10n * MS; ns <= S; ns += 10n * MS) {
      if ((authority.nextAtNs ?? S) <= ns) authority.act(now(ns), effects);
    }
    const speeds = only(effects, 'commandVehicle').map(({ command }) => speedOf(command));
    for (const [index, speed] of speeds.entries()) {
      expect(speed).toBeCloseTo(Math.max(0, 1 - index / 10), 5);
    }
    expect(speeds.at(-1)).toBe(0);
    expect(authority.haveStoodSince(S - 450n * MS, [1])).toBe(true);
    expect(authority.haveStoodSince(S - 550n * MS, [1])).toBe(false);
  });

  it('waits for no other type where there are trajectories only, however fast', () => {
    const authority = new StopAuthority(stops, 50n * MS, 'simulated');
    const now = (ns: bigint) => ({ steadyNs: ns, stampNs: T0 });
    authority.forwarded(plan(line(20), 0n, 2n * S), now(0n));
    authority.begin(1, now(0n), []);
    for (let ns = 50n * MS; ns <= 1500n * MS; ns += 50n * MS) authority.act(now(ns), []);
    expect(authority.haveStoodSince(500n * MS, [1])).toBe(true);
  });

  it('is not behind a vehicle whose states have no stamps', () => {
    for (const periodMs of [20n, 50n]) {
      const drive = { periodNs: periodMs * MS, pace: 1, follows: promptly, isStamped: false };
      expectRest(stopped(drive), `T ${periodMs} ms`);
    }
  });
});
