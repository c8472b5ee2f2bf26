import { describe, expect, it } from 'vitest';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { base, MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';

const stepNs = 10n * MS;
const periodNs = 50n * MS;
const stateNs = 20n * MS;
const stoppedNs = S;
const glitchNs = 40n * MS;
/** Somebody carries the vehicle 3 m aside. */
const carriedFromNs = 20n * S;
const carriedUntilNs = 26n * S;
const settledNs = 500n * MS;

/** Along x at 1 m/s. */
function plan(nowNs: bigint) {
  const trajectory_points = Array.from({ length: 12 }, (_, i) => {
    const t = nowNs + BigInt(i - 1) * 200n * MS;
    return { t: { nanoseconds: T0 + t }, px: Number(t) / 1e9, py: 0, vx: 1, vy: 0 };
  });
  return { kind: 'trajectory' as const, message: { ...base(1, T0 + nowNs), trajectory_points } };
}

/**
 * A vehicle is stopped, stands, and is carried aside.
 * @param jumpsAtNs its pose is 2 m aside for 40 ms then; null: never
 * @param unseen while it is carried
 * @param rolls it is pushed, so that its wheels turn
 * @returns how far from the vehicle it is commanded to rest, at most, m: meanwhile, and 0.5 s later.
 */
function farthest(jumpsAtNs: bigint | null, unseen = false, rolls = false) {
  const profile = { ...stops.profile, timeoutNs: null };
  const authority = new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const at = { x: 0, y: 0, v: 1 };
  const most = { carriedM: 0, laterM: 0 };
  for (let nowNs = 0n; nowNs < carriedUntilNs + 4n * S; nowNs += stepNs) {
    const now = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const effects: TestEffect[] = [];
    if (nowNs < stoppedNs && nowNs % periodNs === 0n) authority.forwarded(plan(nowNs), now);
    if (nowNs >= stoppedNs) at.v = Math.max(0, at.v - 0.02);
    at.x += at.v * 0.01;
    const isCarried = nowNs > carriedFromNs && nowNs <= carriedUntilNs;
    if (isCarried) at.y = Number(nowNs - carriedFromNs) / 2e9;
    const jumps = jumpsAtNs !== null && nowNs >= jumpsAtNs && nowNs < jumpsAtNs + glitchNs;
    if (nowNs % stateNs === 0n && !(unseen && isCarried)) {
      const pose = { x: at.x, y: at.y + (jumps ? 2 : 0), yaw: 0 };
      const speedMps = rolls && isCarried ? 0.5 : at.v;
      authority.observe(1, { speedMps, pose, createStampNs: T0 + nowNs }, now);
    }
    if (nowNs === stoppedNs) authority.begin(1, now, effects);
    else if ((authority.nextAtNs ?? nowNs + 1n) <= nowNs) authority.act(now, effects);
    if (nowNs < carriedFromNs) continue;
    for (const { command } of only(effects, 'commandVehicle')) {
      if (command.kind !== 'trajectory') continue;
      const end = command.message.trajectory_points.at(-1) ?? { px: NaN, py: NaN };
      const awayM = Math.hypot(end.px - at.x, end.py - at.y);
      if (isCarried && !unseen) most.carriedM = Math.max(most.carriedM, awayM);
      if (nowNs > carriedUntilNs + settledNs) most.laterM = Math.max(most.laterM, awayM);
    }
  }
  return most;
}

describe('a stopped vehicle that is carried elsewhere stays there', () => {
  it.each([
    ['its pose never jumped', null, false],
    ['its pose jumped once while it stood', 10n * S, false],
    ['its pose jumped once while it braked', 1200n * MS, false],
    ['its pose jumped once, and it is not seen while it is carried', 10n * S, true],
    ['it is pushed', null, false, true],
  ] as const)('%s', (_, jumpsAtNs, unseen, rolls?: boolean) => {
    const { carriedM, laterM } = farthest(jumpsAtNs, unseen, rolls);
    expect(carriedM).toBeLessThan(rolls === true ? 0.53 : 0.33);
    expect(laterM).toBeLessThan(0.06);
  });
});
