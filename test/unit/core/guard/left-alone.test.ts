import { describe, expect, it } from 'vitest';
import { S } from '../support.js';
import { GuardBench, LIMIT, middleware, P } from './guard-bench.js';

/** Vehicles 1 and 2 are driven for 1 s; the last status came a period ago. */
function driven(simulated = false) {
  const bench = new GuardBench();
  const driver = middleware(1n, [1, 2], { simulated });
  bench.drive(driver, S);
  return { bench, driver };
}

function leftAlone({ guard, clocks }: GuardBench): number[] {
  return guard.leftAlone(clocks.read()).map(({ id }) => id);
}

describe('when a guard fails itself', () => {
  it('leaves the vehicles to a middleware whose status came in time', () => {
    const { bench } = driven();
    expect(leftAlone(bench)).toEqual([]);
  });

  it('stops them from three quarters of the silence on that makes it act', () => {
    const { bench } = driven();
    bench.run((LIMIT * 3n) / 4n - P - 1n);
    expect(leftAlone(bench)).toEqual([]);
    bench.run(1n);
    expect(leftAlone(bench)).toEqual([1, 2]);
  });

  it('counts the time in which it stood still itself', () => {
    const { bench } = driven();
    // It wakes nowhere in between.
    bench.clocks.monotonicNs += LIMIT;
    expect(leftAlone(bench)).toEqual([1, 2]);
  });

  it('leaves alone those of a middleware that has ended, and of simulated time', () => {
    const { bench, driver } = driven();
    bench.status(driver, 'ended');
    bench.run(LIMIT);
    expect(leftAlone(bench)).toEqual([]);
    const simulated = driven(true).bench;
    simulated.run(LIMIT);
    expect(leftAlone(simulated)).toEqual([]);
  });
});
