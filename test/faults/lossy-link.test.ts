import { expect } from 'vitest';
import { badLinkTest, expectEveryStep, steps } from './bad-link.js';
import { ms, quantile } from './fault-row.js';

const losses = [0.01, 0.05, 0.2];
const periods = 40;

badLinkTest(
  {
    row: 10,
    fault: 'a link that loses 1, 5 and 20 % of all packets',
    mode: 'real time',
    expected: 'every reliable command forwarded or refused with a reason, none twice; p99 measured',
  },
  async ({ link, startMiddleware, startController, startVehicles }, measured) => {
    const vehicles = startVehicles({ quiet: true });
    const controller = startController({ ids: [1, 2, 3] });
    await controller.events.until(({ event }) => event === 'ready');
    const figures: string[] = [];
    let before = { received: 0, driving: 0, distinct: 0 };
    for (const loss of losses) {
      const starts = controller.named('start').length;
      link.lose(0);
      const middleware = startMiddleware(
        '--vehicle-ids=1,2,3',
        '--period-ms=100',
        `--periods=${periods}`,
      );
      await controller.events.until(() => controller.named('start').length > starts);
      link.lose(loss);
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      vehicles.order('report');
      const report = await vehicles.next('report');
      const received = Number(report.received) - before.received;
      const distinct = Number(report.distinct) - before.distinct;
      const driving = Number(report.driving) - before.driving;
      before = {
        received: Number(report.received),
        driving: Number(report.driving),
        distinct: Number(report.distinct),
      };
      const { commands_forwarded, commands_refused, reply_time_us, start_signals } =
        middleware.summary();
      const forwarded = commands_forwarded.vehicleCommandDirect ?? 0;
      const late = Object.values(commands_refused).reduce((sum, count) => sum + count, 0);
      // A start signal that is overtaken by the next one is not answered: that is no lost command.
      const answered = controller.named('start').length - starts;
      figures.push(
        `${loss * 100} %: ${3 * answered - forwarded - late} lost, ${received - distinct} twice, ` +
          `${late} too late, reply p99 ${ms(reply_time_us.p99 * 1000)}`,
      );
      measured(figures.join('; '));
      expect(received).toBe(distinct);
      // Those that stop the vehicles at the end of the run are not among them.
      expect(driving).toBe(forwarded);
      expect(answered).toBeGreaterThan(start_signals / 2);
      // The answers to the last start signals may come after the end of the run.
      expect(3 * answered - forwarded - late).toBeLessThanOrEqual(6);
      expect(3 * answered - forwarded - late).toBeGreaterThanOrEqual(0);
    }
  },
);

badLinkTest(
  {
    row: 10,
    fault: 'a link that loses 1, 5 and 20 % of all packets',
    mode: 'simulated time',
    expected: 'every step comes, and none is missed',
  },
  async ({ link, startMiddleware, startController }, measured) => {
    const controller = startController({ ids: [1, 2, 3] });
    await controller.events.until(({ event }) => event === 'ready');
    const figures: string[] = [];
    for (const loss of losses) {
      link.lose(0);
      const starts = controller.named('start').length;
      const middleware = startMiddleware('--vehicle-ids=1,2,3', ...steps, `--periods=${periods}`);
      await controller.events.until(() => controller.named('start').length > starts);
      link.lose(loss);
      const begunNs = process.hrtime.bigint();
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      const tookNs = process.hrtime.bigint() - begunNs;
      const { start_signals, controllers, reply_time_us } = middleware.summary();
      expect(start_signals).toBe(periods);
      for (const id of [1, 2, 3]) expect(controllers[id]?.replies).toBe(periods);
      figures.push(
        `${loss * 100} %: ${periods} of ${periods} steps in ${ms(tookNs)}, reply p99 ${ms(reply_time_us.p99 * 1000)}`,
      );
      measured(figures.join('; '));
    }
  },
);

/** A delay that fits into a period, and a jitter by which frames overtake each other. */
const delayMs = 15;
const jitterMs = 10;

badLinkTest(
  {
    row: 11,
    fault: 'a link that delays by 15 to 25 ms and reorders, best-effort commands',
    mode: 'real time',
    expected: 'no false miss; newest command wins, what was overtaken is not forwarded',
  },
  async ({ link, startMiddleware, startController, startVehicles }, measured) => {
    const vehicles = startVehicles({});
    const controller = startController({ ids: [1], reliability: 'best-effort' });
    const middleware = startMiddleware('--vehicle-ids=1', '--period-ms=200', '--periods=40');
    await controller.events.until(({ event }) => event === 'start');
    controller.order('several', { count: 8 });
    link.delay(delayMs, jitterMs);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { controllers, commands_refused, reply_time_us } = middleware.summary();
    const stamps = vehicles.named('command').map(({ create }) => BigInt(String(create)));
    const backwards = stamps.filter((stamp, i) => i > 0 && stamp <= (stamps[i - 1] ?? 0n));
    const { reordered } = await link.statistics();
    const written = 1 + 8 * (controller.named('start').length - 1);
    measured(
      `${reordered} frames overtaken; ${stamps.length} of ${written} commands forwarded, ${backwards.length} out of order; ` +
        `${controllers[1]?.misses ?? 0} misses, reply p50 ${ms(reply_time_us.p50 * 1000)}`,
    );
    expect(reordered).toBeGreaterThan(10);
    // DDS itself leaves out what a best-effort writer sent before what is there already.
    expect(stamps.length).toBeLessThan(written);
    expect(stamps.length).toBeGreaterThan(40);
    expect(commands_refused).toEqual({});
    expect(backwards).toEqual([]);
    expect(reply_time_us.p50).toBeGreaterThan(2 * delayMs * 1000);
    // One way there and one way back is at most a quarter of the period.
    expect(controllers[1]?.misses).toBeLessThanOrEqual(1);
  },
);

badLinkTest(
  {
    row: 11,
    fault: 'a link that delays by 15 to 25 ms and reorders',
    mode: 'simulated time',
    expected: 'every step comes, slower',
  },
  async ({ link, startMiddleware, startController }, measured) => {
    const controller = startController({ ids: [1] });
    const middleware = startMiddleware('--vehicle-ids=1', ...steps, '--periods=1000');
    await controller.events.until(({ event }) => event === 'start');
    link.delay(delayMs, jitterMs);
    const slowFrom = controller.named('start').length;
    await controller.events.until(() => controller.named('start').length > slowFrom + 50);
    link.delay(0);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const starts = controller.named('start');
    const at = starts.map(({ at: instant }) => Number(instant));
    const gaps = at
      .slice(slowFrom + 5, slowFrom + 45)
      .map((t, i) => t - (at[slowFrom + 4 + i] ?? 0));
    const { controllers } = middleware.summary();
    measured(`${starts.length} of 1000 steps, ${ms(quantile(gaps, 0.5))} a step with the delay`);
    expectEveryStep(controller, 1000);
    expect(controllers[1]).toMatchObject({ replies: 1000, misses: 0 });
    expect(quantile(gaps, 0.5)).toBeGreaterThan(2 * delayMs * 1e6);
  },
);
