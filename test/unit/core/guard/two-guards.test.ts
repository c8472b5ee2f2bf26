import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { base, MS, S } from '../support.js';
import { GuardBench, middleware, P, pathCommand, pathSpeedOf } from './guard-bench.js';

/** Vehicle 1 drives 3 m straight ahead at 1 m/s. */
function straightAhead(stampNs: bigint): Command {
  const trajectory_points = Array.from({ length: 16 }, (_, i) => ({
    t: { nanoseconds: stampNs + BigInt(i) * 200n * MS },
    px: i / 5,
    py: 0,
    vx: 1,
    vy: 0,
  }));
  return { kind: 'trajectory', message: { ...base(1, stampNs), trajectory_points } };
}

/** The place at which a trajectory ends, m. */
function endOf(command: Command | undefined): number {
  if (command?.kind !== 'trajectory') return NaN;
  return command.message.trajectory_points.at(-1)?.px ?? NaN;
}

/** Two guards and vehicle 1, which drives at 1 m/s, on a path by default, until its middleware falls silent. */
class TwoGuards {
  readonly benches: readonly [GuardBench, GuardBench];
  /** What the vehicle was commanded, in the order of arrival, with instants from the silence on, ns. */
  readonly received: { readonly atNs: bigint; readonly speed: number }[] = [];
  readonly #middleware = middleware(1n, [1]);
  readonly #sent = [0, 0];
  #speed = 1;

  /**
   * @param known the guards have received the status of each other.
   * @param afterNs silence after which each of them acts, ns; null: the default.
   * @param sendsStates the vehicle does.
   */
  constructor(
    known: boolean,
    afterNs: readonly [bigint | null, bigint | null] = [null, null],
    private readonly sendsStates = true,
    commandOf: (stampNs: bigint) => Command = (stampNs) => pathCommand(stampNs, 1),
  ) {
    this.benches = [new GuardBench(afterNs[0]), new GuardBench(afterNs[1])];
    for (const [i, bench] of this.benches.entries()) {
      if (known) bench.guard.otherGuard('guard', `guard ${1 - i}`);
      // The second one acts a little later.
      if (i === 1) for (const { clocks } of this.benches) clocks.monotonicNs += 20n * MS;
      bench.status(this.#middleware);
      const { participant } = this.#middleware;
      bench.guard.command(commandOf(bench.clocks.realtimeNs), participant, bench.clocks.read());
    }
  }

  run(ns: bigint): void {
    for (let atNs = 0n; atNs < ns; atNs += MS) {
      for (const [i, bench] of this.benches.entries()) {
        if (this.sendsStates) bench.state(1, this.#speed);
        bench.run(MS);
        const other = this.benches[1 - i];
        for (const { command } of bench.commands.slice(this.#sent[i])) {
          other?.guard.command(command, `guard ${i}`, other.clocks.read());
          this.#speed = pathSpeedOf(command);
          this.received.push({ atNs, speed: this.#speed });
        }
        this.#sent[i] = bench.commands.length;
      }
    }
  }
}

describe('two guards', () => {
  it('send as many commands as two stops, and end their stops', () => {
    const two = new TwoGuards(true);
    two.run(S);
    const speeds = two.received.map(({ speed }) => speed);
    for (const [i, speed] of speeds.entries()) {
      expect(speed).toBeLessThanOrEqual(speeds[i - 1] ?? 1);
    }
    // From 1 m/s to 0 with 2 m/s², as one guard alone.
    const brakingNs = two.received.filter(({ speed }) => speed > 0).map(({ atNs }) => atNs);
    const brakedNs = (brakingNs.at(-1) ?? 0n) - (brakingNs[0] ?? 0n);
    expect(brakedNs).toBeGreaterThan(400n * MS);
    expect(brakedNs).toBeLessThan(600n * MS);
    const inOneSecond = Number(S / P);
    for (const { commands } of two.benches) {
      expect(commands.length).toBeGreaterThan(10);
      expect(commands.length).toBeLessThanOrEqual(inOneSecond);
    }
    two.run(3n * S);
    const { length } = two.received;
    two.run(S);
    expect(two.received).toHaveLength(length);
    expect(two.received.at(-1)?.speed).toBe(0);
  });

  it('that do not know each other send at most twice as many', () => {
    const two = new TwoGuards(false);
    two.run(3n * S);
    for (const { commands } of two.benches) {
      expect(commands.length).toBeLessThanOrEqual(2 * Number((3n * S) / P));
    }
    expect(two.received.at(-1)?.speed).toBe(0);
  });

  it.each([400n, 600n, 1000n, 2000n])(
    'never make a vehicle faster where one of them acts %s ms after the middleware fell silent',
    (laterMs) => {
      const two = new TwoGuards(true, [300n * MS, laterMs * MS], false);
      two.run(4n * S);
      const [, second] = two.benches;
      expect(second.commands.length).toBeGreaterThan(0);
      const speeds = two.received.map(({ speed }) => speed);
      for (const [i, speed] of speeds.entries()) {
        expect(speed).toBeLessThanOrEqual(speeds[i - 1] ?? 1);
      }
      expect(speeds.at(-1)).toBe(0);
    },
  );

  it.each([400n, 600n, 1000n, 2000n])(
    'bring a vehicle that follows places to one place where one of them acts after %s ms',
    (laterMs) => {
      const two = new TwoGuards(true, [300n * MS, laterMs * MS], false, straightAhead);
      two.run(4n * S);
      const [first, second] = two.benches;
      const place = endOf(first.commands[0]?.command);
      // It drives for 0.3 s, and brakes for 0.5 s.
      expect(place).toBeGreaterThan(0.5);
      expect(place).toBeLessThan(0.8);
      expect(second.commands.length).toBeGreaterThan(0);
      for (const { command } of [...first.commands, ...second.commands]) {
        expect(Math.abs(endOf(command) - place)).toBeLessThan(0.1);
      }
    },
  );

  it('report each other once', () => {
    const { guard } = new GuardBench();
    expect(guard.otherGuard('a', 'guard 1')).toEqual([{ kind: 'otherGuard', sourceId: 'a' }]);
    expect(guard.otherGuard('a', 'guard 1')).toEqual([]);
  });
});
