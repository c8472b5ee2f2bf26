import { describe, expect, it } from 'vitest';
import { MS, S } from '../support.js';
import { GuardBench, middleware, P, pathCommand, pathSpeedOf } from './guard-bench.js';

/** Two guards and vehicle 1, which follows a path at 1 m/s until its middleware falls silent. */
class TwoGuards {
  readonly benches = [new GuardBench(), new GuardBench()] as const;
  /** What the vehicle was commanded, in the order of arrival, with instants from the silence on, ns. */
  readonly received: { readonly atNs: bigint; readonly speed: number }[] = [];
  readonly #middleware = middleware(1n, [1]);
  readonly #sent = [0, 0];
  #speed = 1;

  /** @param known the guards have received the status of each other. */
  constructor(known: boolean) {
    for (const [i, bench] of this.benches.entries()) {
      if (known) bench.guard.otherGuard('guard', `guard ${1 - i}`);
      // The second one acts a little later.
      if (i === 1) for (const { clocks } of this.benches) clocks.monotonicNs += 20n * MS;
      bench.status(this.#middleware);
      const { participant } = this.#middleware;
      bench.guard.command(
        pathCommand(bench.clocks.realtimeNs, 1),
        participant,
        bench.clocks.read(),
      );
    }
  }

  run(ns: bigint): void {
    for (let atNs = 0n; atNs < ns; atNs += MS) {
      for (const [i, bench] of this.benches.entries()) {
        bench.state(1, this.#speed);
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

  it('report each other once', () => {
    const { guard } = new GuardBench();
    expect(guard.otherGuard('a', 'guard 1')).toEqual([{ kind: 'otherGuard', sourceId: 'a' }]);
    expect(guard.otherGuard('a', 'guard 1')).toEqual([]);
  });
});
