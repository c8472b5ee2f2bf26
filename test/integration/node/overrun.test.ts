import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTestLab } from '../../support/test-lab.js';

describe('a middleware that was held up', () => {
  it('skips whole periods, counts them, and goes on upon the grid without a burst', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const aheadNs = lab.clocks.realtimeNs() - lab.clocks.monotonicNs();
    const periodNs = 30_000_000n;
    const offsetNs = 7n;
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      `--period-nanoseconds=${periodNs}`,
      `--offset-nanoseconds=${offsetNs}`,
    );
    for (const before of [10, 25]) {
      await controller.startSignals.untilCount(before);
      middleware.signal('SIGSTOP');
      await wait(400);
      middleware.signal('SIGCONT');
    }
    await controller.startSignals.untilCount(45);
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });

    const signals = controller.startSignals.items;
    const times = signals.map(({ list }) => list.t_now);
    expect(times.filter((t) => (t - offsetNs) % periodNs !== 0n)).toEqual([]);
    const steps = times.slice(1).map((t, i) => (t - (times[i] ?? 0n)) / periodNs);
    expect(steps.filter((step) => step < 1n)).toEqual([]);
    const skips = steps.map((step) => Number(step) - 1).filter((skipped) => skipped > 0);
    // 400 ms are 13 periods and a bit.
    expect(skips.filter((skipped) => skipped >= 12)).toHaveLength(2);

    const summary = middleware.summary();
    const skipped = skips.reduce((sum, n) => sum + n, 0);
    expect(summary.start_signals).toBe(signals.length);
    expect(summary.skipped_periods).toBe(skipped);
    expect(summary.periods).toBe(signals.length + skipped);
    const told = middleware.logged('the middleware was late: periods skipped');
    expect(told.map(({ count }) => count)).toEqual(skips);

    // No burst: what is not sent within half of its period is not sent at all.
    expect(
      signals.filter(({ list, receivedAtNs }) => receivedAtNs + aheadNs - list.t_now > periodNs),
    ).toEqual([]);
    // A period that the middleware slept through is no miss of the controller's.
    expect(summary.controllers[1]?.misses).toBe(0);
  });
});
