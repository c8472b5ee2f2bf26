import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import type { Moment } from '../../../../src/core/time.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import type { StampedMotion } from '../../../../src/core/stop/vehicle-motion.js';
import { MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { Follower, line, plan, promptly, slowly, stepNs } from './place-follower.js';

const periodNs = 50n * MS;
const profile = { ...stops.profile, timeoutNs: null };
/** It brakes no harder than declared. */
const weakly = { gain: 2, lagS: 0.1, mostMps2: 2.2 };

/** How a vehicle moves from the begin of a stop on. */
class JudgedMotion {
  /** How far it drove back, m. */
  backM = 0;
  /** Highest rise of its speed, m/s. */
  riseMps = 0;
  #highest = -Infinity;
  #slowest = Infinity;

  see({ x, v }: Follower): void {
    this.#highest = Math.max(this.#highest, x);
    this.backM = Math.max(this.backM, this.#highest - x);
    this.#slowest = Math.min(this.#slowest, Math.max(0, v));
    this.riseMps = Math.max(this.riseMps, v - this.#slowest);
  }
}

function stateOf({ x, v }: Follower, nowNs: bigint): StampedMotion {
  return { speedMps: v, pose: { x, y: 0, yaw: 0 }, createStampNs: T0 + nowNs };
}

interface TakeOver {
  readonly speed: number;
  readonly follows: typeof weakly;
  /** The middleware is suspended from the last command on until so long after the guard has begun, ns. */
  readonly guardForNs: bigint;
  /** So long after the take-over the middleware fails: it sends the commands for a fault, and no more, ns. */
  readonly failsAfterNs: bigint;
  /** The middleware had begun to stop the vehicle before. */
  readonly hadBegun?: boolean;
}

/**
 * A vehicle follows places; a guard stops it, and a middleware takes that stop over.
 * @returns how far it drove back, m; its highest rise of speed, m/s; when it rested after the guard had begun, s.
 */
function takenOver({ speed, follows, guardForNs, failsAfterNs, hadBegun = false }: TakeOver) {
  const make = () => new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const [middleware, guard] = [make(), make()];
  const vehicle = new Follower(plan(line(speed), 0n, 3n * S), speed, follows, null, false);
  const suspendedNs = S;
  const guardFromNs = suspendedNs + 300n * MS;
  const takenNs = guardFromNs + guardForNs;
  const failsNs = takenNs + failsAfterNs;
  const waiting: (() => void)[] = [];
  const motion = new JudgedMotion();
  for (let nowNs = 0n; nowNs < failsNs + 4n * S; nowNs += stepNs) {
    const now: Moment = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const effects: TestEffect[] = [];
    if (nowNs < suspendedNs && nowNs % periodNs === 0n) {
      vehicle.command = plan(line(speed), nowNs, 3n * S);
      for (const each of [middleware, guard]) each.forwarded(vehicle.command, now);
    }
    if (hadBegun && nowNs === suspendedNs - stepNs) middleware.begin(1, now, effects);
    if (nowNs % (20n * MS) === 0n) {
      const state = stateOf(vehicle, nowNs);
      guard.observe(1, state, now);
      waiting.push(() => middleware.observe(1, state, now));
    }
    const isSuspended = nowNs >= suspendedNs && nowNs < takenNs;
    if (!isSuspended) for (const observe of waiting.splice(0)) observe();
    if (nowNs === guardFromNs) guard.begin(1, now, effects);
    else if (nowNs > guardFromNs && nowNs < takenNs && isDue(guard, nowNs)) guard.act(now, effects);
    if (nowNs === takenNs) {
      const { kinds, newestCreateNs: createNs, newestValidNs: validNs } = guard.sent(1);
      middleware.sentUnseen(1, kinds, { createNs, validNs }, now, guard.speedOf(1));
      middleware.begin(1, now, effects, 'yes');
    }
    if (nowNs > takenNs && nowNs < failsNs && isDue(middleware, nowNs)) {
      middleware.act(now, effects);
    }
    vehicle.command = only(effects, 'commandVehicle').at(-1)?.command ?? vehicle.command;
    if (nowNs === failsNs) vehicle.command = forFault(middleware, now) ?? vehicle.command;
    vehicle.step(nowNs);
    if (nowNs >= guardFromNs) motion.see(vehicle);
  }
  const { backM, riseMps } = motion;
  return { backM, riseMps, restS: Number(vehicle.movedAtNs - guardFromNs) / 1e9 };
}

function isDue({ nextAtNs }: StopAuthority, nowNs: bigint): boolean {
  return nextAtNs !== null && nextAtNs <= nowNs;
}

/** What a middleware sends that fails now. */
function forFault(authority: StopAuthority, now: Moment): Command | undefined {
  const stills = authority.standStill(1, now, { hangAfterNs: S, brakesAfterNs: 80n * MS });
  return stills.find(({ occasion }) => occasion !== 'afterHang')?.command;
}

describe('a stop of a guard that a middleware has taken over', () => {
  const speeds = [0.5, 1, 2];
  const taken = [20n, 100n, 150n, 400n, 800n].map((ms) => ms * MS);

  it.each([
    ['promptly', promptly],
    ['slowly', slowly],
    ['weakly', weakly],
  ] as const)('goes on as it was for a vehicle that follows %s', (_, follows) => {
    for (const speed of speeds) {
      for (const guardForNs of taken) {
        for (const hadBegun of [false, true]) {
          const lab = { speed, follows, guardForNs, failsAfterNs: 5n * S, hadBegun };
          const { backM, riseMps, restS } = takenOver(lab);
          expect
            .soft(backM, JSON.stringify([speed, Number(guardForNs / MS), hadBegun]))
            .toBeLessThan(0.1);
          expect.soft(riseMps).toBeLessThan(0.05);
          expect.soft(restS).toBeLessThan(speed / 2 + 0.9);
        }
      }
    }
  });

  it('drives no vehicle back when the middleware fails soon after that', () => {
    for (const speed of speeds) {
      for (const guardForNs of taken) {
        for (const failsAfterNs of [5n, 60n, 120n, 200n, 400n].map((ms) => ms * MS)) {
          for (const hadBegun of [false, true]) {
            const lab = { speed, follows: weakly, guardForNs, failsAfterNs, hadBegun };
            const { backM, restS } = takenOver(lab);
            const what = JSON.stringify([
              speed,
              Number(guardForNs / MS),
              Number(failsAfterNs / MS),
              hadBegun,
            ]);
            expect.soft(backM, what).toBeLessThan(0.1);
            expect.soft(restS, what).toBeLessThan(speed / 2 + 0.9);
          }
        }
      }
    }
  });
});

/**
 * A vehicle follows places; a middleware stops it, and is killed; a guard that has heard its commands goes on.
 * @returns as {@link takenOver}, from the begin of the stop on.
 */
function goneOnWith(speed: number, follows: typeof weakly, killedAfterNs: bigint) {
  const make = () => new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const [middleware, guard] = [make(), make()];
  const vehicle = new Follower(plan(line(speed), 0n, 3n * S), speed, follows, null, false);
  const stopNs = S;
  const killedNs = stopNs + killedAfterNs;
  const guardFromNs = killedNs + 300n * MS;
  const motion = new JudgedMotion();
  for (let nowNs = 0n; nowNs < guardFromNs + 5n * S; nowNs += stepNs) {
    const now: Moment = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const effects: TestEffect[] = [];
    if (nowNs < stopNs && nowNs % periodNs === 0n) {
      vehicle.command = plan(line(speed), nowNs, 3n * S);
      for (const each of [middleware, guard]) each.forwarded(vehicle.command, now);
    }
    if (nowNs % (20n * MS) === 0n) {
      const state = stateOf(vehicle, nowNs);
      for (const each of [middleware, guard]) each.observe(1, state, now);
    }
    if (nowNs === stopNs) middleware.begin(1, now, effects);
    else if (nowNs < killedNs && isDue(middleware, nowNs)) middleware.act(now, effects);
    for (const { command } of only(effects, 'commandVehicle')) guard.forwarded(command, now);
    if (nowNs === guardFromNs) guard.begin(1, now, effects);
    else if (nowNs > guardFromNs && isDue(guard, nowNs)) guard.act(now, effects);
    vehicle.command = only(effects, 'commandVehicle').at(-1)?.command ?? vehicle.command;
    vehicle.step(nowNs);
    if (nowNs >= stopNs) motion.see(vehicle);
  }
  const { backM, riseMps } = motion;
  return { backM, riseMps, restS: Number(vehicle.movedAtNs - stopNs) / 1e9 };
}

describe('a stop of a middleware that is killed', () => {
  const killed = Array.from({ length: 50 }, (_, i) => BigInt(20 * (i + 1)) * MS);

  it.each([
    ['promptly', promptly, 0.1],
    ['slowly', slowly, 0.1],
    ['weakly', weakly, 0.1],
    ['late and weakly', { ...weakly, lagS: 0.2 }, 0.08],
  ] as const)('is gone on with by a guard for a vehicle that follows %s', (_, follows, mostM) => {
    for (const speed of [0.5, 1, 2]) {
      for (const killedAfterNs of killed) {
        const { backM, riseMps, restS } = goneOnWith(speed, follows, killedAfterNs);
        const what = JSON.stringify([speed, Number(killedAfterNs / MS)]);
        expect.soft(backM, what).toBeLessThan(mostM);
        expect.soft(riseMps, what).toBeLessThan(0.05);
        expect.soft(restS, what).toBeLessThan(speed / 2 + 1.2);
      }
    }
  });
});

it('is no reason for a guard to begin anew, also with commands that hold from a later time on', () => {
  const make = () => new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const [middleware, guard] = [make(), make()];
  const speed = 2;
  const aheadNs = 900n * MS;
  const planAhead = (ns: bigint): Command => {
    const { kind, message } = plan(line(speed), ns + aheadNs, 3n * S);
    const { valid_after_stamp } = message.header;
    const header = { create_stamp: { nanoseconds: T0 + ns }, valid_after_stamp };
    return { kind, message: { ...message, header } } as Command;
  };
  const at = (nowNs: bigint): Moment => ({ steadyNs: nowNs, stampNs: T0 + nowNs });
  for (let nowNs = 0n; nowNs <= 2n * S; nowNs += periodNs) {
    for (const each of [middleware, guard]) {
      each.forwarded(planAhead(nowNs), at(nowNs));
      const x = (speed * Number(nowNs)) / 1e9;
      each.observe(1, { speedMps: speed, pose: { x, y: 0, yaw: 0 }, createStampNs: 0n }, at(nowNs));
    }
  }
  const effects: TestEffect[] = [];
  guard.begin(1, at(2n * S), effects);
  middleware.begin(1, at(2n * S + MS), effects);
  const now = at(2n * S + 2n * MS);
  const stop = only(effects, 'commandVehicle').map(({ command }) => command);
  const waiting = stop.filter(
    ({ message }) => message.header.valid_after_stamp.nanoseconds > now.stampNs + MS,
  );
  expect(waiting.length).toBeGreaterThan(0);
  for (const command of stop) expect(guard.isNotFaster(command, now)).toBe(true);
  // A controller drives it on, from a lower speed of its stop.
  guard.act(at(2n * S + 300n * MS), []);
  expect(guard.isNotFaster(planAhead(2n * S + 300n * MS), at(2n * S + 300n * MS))).toBe(false);
});
