import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScriptedController } from '../../support/scripted-controller.js';
import { openTestLab } from '../../support/test-lab.js';

describe('a middleware that was held up', () => {
  it('skips whole periods, counts them, and goes on upon the grid without a burst', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const aheadNs = lab.clocks.realtimeNs() - lab.clocks.monotonicNs();
    const periodNs = 40_000_000n;
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
    // 400 ms are ten periods.
    const beforeStops = times.filter((_, i) => (steps[i] ?? 0n) >= 10n);
    expect(beforeStops).toHaveLength(2);

    const summary = middleware.summary();
    const skipped = Number(steps.reduce((sum, step) => sum + step - 1n, 0n));
    expect(summary.start_signals).toBe(signals.length);
    expect(summary.skipped_periods).toBe(skipped);
    expect(summary.periods).toBe(signals.length + skipped);
    const told = middleware.logged('the middleware was late: periods skipped');
    expect(told.reduce((sum, { count }) => sum + Number(count), 0)).toBe(skipped);

    // No burst: what is not sent within half of its period is not sent at all.
    const late = signals.filter(
      ({ list, receivedAtNs }) => receivedAtNs + aheadNs - list.t_now > periodNs,
    );
    expect(late).toEqual([]);
    // The answers that came while the middleware stood still were in time.
    const missed = middleware.logged('period missed').map(({ t_now_ns }) => t_now_ns);
    expect(missed.filter((t) => beforeStops.map(String).includes(String(t)))).toEqual([]);
  });

  it('skips a period that is late by half of it, with --compat=cpm-lab by all of it', async () => {
    const lab = openTestLab();
    const periodMs = 400;
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
        '--periods=5',
        ...flags,
      );
      await controller.startSignals.untilCount(2);
      await wait(periodMs * 0.75);
      middleware.signal('SIGSTOP');
      await wait(periodMs);
      middleware.signal('SIGCONT');
      // At that moment the next start signal is late by three quarters of a period.
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      expect(middleware.summary().skipped_periods, flags.join()).toBe(skipped);
    });
    await Promise.all(runs);
  });
});
