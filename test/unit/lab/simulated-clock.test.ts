import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../../src/lab/index.js';

describe('a simulated clock', () => {
  it('calls back in the order of the times, each at its own time', () => {
    const clock = new SimulatedClock();
    const calls: [string, bigint][] = [];
    const note = (name: string) => () => calls.push([name, clock.nowNs()]);
    clock.at(30n, note('late'));
    clock.at(10n, note('early'));
    clock.at(10n, note('early, too'));
    clock.at(20n, () => {
      note('middle')();
      clock.at(25n, note('asked for on the way'));
    });
    clock.advanceTo(29n);
    expect(calls).toEqual([
      ['early', 10n],
      ['early, too', 10n],
      ['middle', 20n],
      ['asked for on the way', 25n],
    ]);
    expect(clock.nowNs()).toBe(29n);
  });

  it('makes no call that was cancelled', () => {
    const clock = new SimulatedClock();
    const cancel = clock.at(10n, () => expect.unreachable());
    cancel();
    clock.advanceTo(20n);
    expect(clock.nowNs()).toBe(20n);
  });

  it('never goes back, and skips without calling', () => {
    const clock = new SimulatedClock();
    const calls: bigint[] = [];
    clock.at(10n, () => calls.push(clock.nowNs()));
    clock.skipTo(50n);
    expect(calls).toEqual([]);
    clock.advanceTo(20n);
    expect(calls).toEqual([50n]);
    expect(clock.nowNs()).toBe(50n);
  });
});
