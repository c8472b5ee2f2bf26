import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { base, MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { StopBench } from './stop-bench.js';
import {
  driven,
  Follower,
  line,
  plan,
  promptly,
  slowly,
  softly,
  stepNs,
} from './place-follower.js';

const periodNs = 50n * MS;

/** Drives to a place, m, at 1 m/s, and rests there. */
const until = (placeM: number) => (s: number) => ({
  x: Math.min(s, placeM),
  v: s < placeM ? 1 : 0,
});

describe('a stop of a vehicle that stands', () => {
  it.each([promptly, slowly, softly])(
    'does not move it where its poses are of another point of it',
    (follows) => {
      for (const offsetM of [-0.3, -0.1, 0.05, 0.1, 0.25, 0.4]) {
        for (const placeM of [0, 1]) {
          for (const replansNs of [null, 0n]) {
            const times = { faultyNs: 2n * S, stateNs: 20n * MS, replansNs };
            const shape = until(placeM);
            const drive = { fault: 'none', speed: 0, shape, offsetM, follows, ...times } as const;
            expect(driven(drive).wayM, `${offsetM} m at ${placeM} m`).toBeLessThan(0.02);
          }
        }
      }
    },
  );
});

it.each([4n, 9n])('a vehicle that the pacer stopped on its plan of %s s is not led on', (planS) => {
  const bench = new StopBench({ ...stops.profile, timeoutNs: null });
  bench.forward(plan(until(3), 0n, planS * S));
  for (; bench.nowNs < 6n * S; bench.nowNs += 20n * MS) {
    bench.observe(bench.nowNs < 2900n * MS ? 1 : 0, Math.min(Number(bench.nowNs) / 1e9, 2.9));
  }
  bench.begin('byPacer');
  for (let i = 0; i < 20; i++) {
    bench.observe(0, 2.9);
    bench.run(20n * MS);
  }
  const places = bench.commands.flatMap((command) =>
    command.kind === 'trajectory' ? command.message.trajectory_points.map(({ px }) => px) : [],
  );
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(place).toBeCloseTo(2.9, 6);
});

/** A vehicle without a time-out that follows places, and its authority, with one clock. */
class Lab {
  readonly profile = { ...stops.profile, timeoutNs: null };
  readonly authority = new StopAuthority({ ...stops, profile: this.profile }, periodNs, 'real');
  readonly vehicle: Follower;
  nowNs = 0n;

  constructor(first: Command, speed: number) {
    this.vehicle = new Follower(first, speed, promptly, null, false);
  }

  get now() {
    return { steadyNs: this.nowNs, stampNs: T0 + this.nowNs };
  }

  /** Half a second at 1 m/s. */
  drive(): void {
    for (let i = 0; i < 10; i++) {
      const command = plan(line(1), this.nowNs, 2n * S);
      this.authority.forwarded(command, this.now);
      this.#obey(command);
      this.run(periodNs);
    }
  }

  begin(): void {
    const effects: TestEffect[] = [];
    this.authority.begin(1, this.now, effects);
    this.#send(effects);
  }

  run(ns: bigint): void {
    for (const endNs = this.nowNs + ns; this.nowNs < endNs; this.nowNs += stepNs) {
      const effects: TestEffect[] = [];
      if ((this.authority.nextAtNs ?? endNs) <= this.nowNs) this.authority.act(this.now, effects);
      this.#send(effects);
      this.vehicle.step(this.nowNs);
    }
  }

  #send(effects: TestEffect[]): void {
    for (const { command } of only(effects, 'commandVehicle')) this.#obey(command);
  }

  /** A command that waits for its time is not obeyed. */
  #obey(command: Command): void {
    const { valid_after_stamp } = command.message.header;
    if (valid_after_stamp.nanoseconds <= this.now.stampNs) this.vehicle.command = command;
  }
}

describe('the second stop of a vehicle whose states do not come', () => {
  it('leaves it where the first one brought it to rest', () => {
    const lab = new Lab(plan(line(1), 0n, 2n * S), 1);
    lab.drive();
    lab.begin();
    lab.run(3n * S);
    const { x, way } = lab.vehicle;
    expect(x).toBeGreaterThan(0.5);
    lab.authority.release(1);
    // Its controller drives on from there in 0.4 s, and ends at once.
    const onwards = (s: number) => ({ x: x + s - Number(lab.nowNs) / 1e9 - 0.4, v: 1 });
    const next = plan(onwards, lab.nowNs, 2n * S);
    const { header } = base(1, T0 + lab.nowNs, T0 + lab.nowNs + 400n * MS);
    Object.assign(next.message, { header });
    lab.authority.forwarded(next, lab.now);
    lab.run(periodNs);
    lab.begin();
    lab.run(3n * S);
    expect(lab.vehicle.way - way).toBeLessThan(0.05);
  });

  it('leaves it there also when nobody has driven it since', () => {
    const lab = new Lab(plan(line(1), 0n, 2n * S), 1);
    lab.drive();
    lab.begin();
    lab.run(3n * S);
    const { way } = lab.vehicle;
    // A middleware takes the stop over from the guard, and fails 5 s later.
    lab.authority.release(1);
    lab.run(5n * S);
    lab.begin();
    lab.run(2n * S);
    expect(lab.vehicle.way - way).toBeLessThan(0.05);
  });
});
