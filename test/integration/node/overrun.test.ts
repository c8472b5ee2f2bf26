import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScriptedController } from '../../support/scripted-controller.js';
import { openTestLab } from '../../support/test-lab.js';

const stoppedMs = 400;

describe('a middleware that was held up', () => {
  it('skips whole periods, counts them, and goes on upon the grid without a burst', async () => {
    const lab = openTestLab();
    const periodNs = 40_000_000n;
    /** Start signals that were answered within half of their period. */
    const answered = new Set<bigint>();
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        self.answer(list);
        if (lab.clocks.realtimeNs() - list.t_now < periodNs / 2n) answered.add(list.t_now);
      },
    });
    controller.signIn();
    const offsetNs = 7n;
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      `--period-nanoseconds=${periodNs}`,
      `--offset-nanoseconds=${offsetNs}`,
    );
    for (const before of [10, 25]) {
      await controller.startSignals.untilCount(before);
      middleware.signal('SIGSTOP');
      await wait(stoppedMs);
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
    // Of each stop nothing is made up for, so that no burst follows. A busy machine may add stops.
    const stoppedPeriods = BigInt(stoppedMs) / (periodNs / 1_000_000n);
    const beforeStops = times.filter((_, i) => (steps[i] ?? 0n) >= stoppedPeriods);
    expect(beforeStops.length).toBeGreaterThanOrEqual(2);

    const summary = middleware.summary();
    const skipped = Number(steps.reduce((sum, step) => sum + step - 1n, 0n));
    expect(summary.start_signals).toBe(signals.length);
    expect(summary.skipped_periods).toBe(skipped);
    expect(summary.periods).toBe(signals.length + skipped);
    const reported = middleware.logged('the middleware was late: periods skipped');
    expect(reported.reduce((sum, { count }) => sum + Number(count), 0)).toBe(skipped);

    // The answers that came while the middleware stood still were in time.
    const missed = middleware.logged('period missed').map(({ t_now_ns }) => String(t_now_ns));
    const inTime = beforeStops.filter((time) => answered.has(time));
    expect(missed.filter((time) => inTime.map(String).includes(time))).toEqual([]);
  });

  it('skips a period that is late by half of it, with --compat=cpm-lab by all of it', async () => {
    const lab = openTestLab();
    const periodMs = 2000;
    // At the same time, in a lab each.
    const runs = [
      { flags: [], domain: 10, skipped: 1 },
      { flags: ['--compat=cpm-lab'], domain: 12, skipped: 0 },
    ].map(async ({ flags, domain, skipped }) => {
      const controller = new ScriptedController(lab.joinDomain(domain), { ids: [1] });
      controller.signIn();
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1',
        `--dds-domain=${domain + 1}`,
        `--domain-number=${domain}`,
        `--period-ms=${periodMs}`,
        '--periods=2',
        ...flags,
      );
      const { list } = await controller.startSignals.untilCount(1);
      middleware.signal('SIGSTOP');
      // The next start signal is late by three quarters of a period then.
      const awayNs = list.t_now + (BigInt(periodMs) * 7_000_000n) / 4n - lab.clocks.realtimeNs();
      await wait(Number(awayNs) / 1e6);
      middleware.signal('SIGCONT');
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      expect(middleware.summary().skipped_periods, flags.join()).toBe(skipped);
    });
    await Promise.all(runs);
  });
});
