import { expect, type TestContext } from 'vitest';
import { Middleware } from '../support/middleware.js';
import { openTestLab } from '../support/test-lab.js';
import { WallClock, whyNoWallClock } from '../support/wall-clock.js';
import { faultTest, ms, skipRow, type Measured } from './fault-row.js';

const jumpsS = [1, -1, 3600, -3600];
/** Long enough that a busy machine leaves no period out, since half of one is what a start may be late by. */
const periodNs = 200_000_000n;

/** A middleware whose wall clock the test can set. */
function startWithWallClock(
  lab: ReturnType<typeof openTestLab>,
  measured: Measured,
  context: TestContext,
  flags: string[],
) {
  const why = whyNoWallClock();
  if (why !== undefined) skipRow(context, measured, why);
  const clock = new WallClock();
  return { clock, middleware: new Middleware(lab.uri, flags, { through: clock.through }) };
}

faultTest(
  {
    row: 8,
    fault: 'wall clock jumps by ±1 s and ±1 h',
    mode: 'real time',
    expected: 'rhythm kept within half a period, no burst, stamps follow, each jump logged',
  },
  async (measured, context) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const { middleware, clock } = startWithWallClock(lab, measured, context, [
      '--vehicle-ids=1',
      '--period-ms=200',
    ]);
    const { startSignals } = controller;
    await startSignals.untilCount(10);
    for (const byS of jumpsS) {
      clock.jump(byS);
      const logged = jumpsS.indexOf(byS) + 1;
      await middleware.logs.until(
        () => middleware.logged('the wall clock was set').length >= logged,
      );
      await startSignals.untilCount(startSignals.items.length + 10);
      const { list } = startSignals.items.at(-1) ?? (await startSignals.untilCount(1));
      const offNs = lab.clocks.realtimeNs() + clock.aheadNs - list.t_now;
      expect(offNs).toBeGreaterThan(-periodNs);
      expect(offNs).toBeLessThan(3n * periodNs);
    }
    middleware.signal('SIGINT');
    await middleware.ended;

    const steps = middleware.logged('the wall clock was set').map(({ step_s }) => Number(step_s));
    expect(steps.map(Math.round)).toEqual(jumpsS);
    const at = startSignals.items.map(({ receivedAtNs }) => receivedAtNs);
    const gaps = at.slice(1).map((later, i) => Number(later - (at[i] ?? 0n)));
    // What one start signal is late on a busy machine, the next one makes up for.
    const slackNs = 50e6;
    expect(Math.min(...gaps)).toBeGreaterThan(Number(periodNs) / 2 - slackNs);
    expect(Math.max(...gaps)).toBeLessThan(Number(periodNs) * 1.5 + slackNs);
    const onGrid = startSignals.items.filter(({ list }) => (list.t_now - 1n) % periodNs === 0n);
    expect(onGrid).toHaveLength(startSignals.items.length);
    const { skipped_periods, commands_refused, controllers } = middleware.summary();
    expect(skipped_periods).toBe(0);
    // An answer that is under way while the clock is set names a time that is no longer near.
    const refused = Object.values(commands_refused).reduce((sum, count) => sum + count, 0);
    expect(refused).toBeLessThanOrEqual(jumpsS.length);
    measured(
      `starts ${ms(Math.min(...gaps))} to ${ms(Math.max(...gaps))} apart (T 200 ms), ` +
        `${steps.length} of ${jumpsS.length} jumps logged, ${controllers[1]?.misses ?? 0} misses, ` +
        `${refused} commands refused`,
    );
  },
);

faultTest(
  {
    row: 8,
    fault: 'wall clock jumps by ±1 s and ±1 h',
    mode: 'simulated time',
    expected: 'no effect',
  },
  async (measured, context) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const { middleware, clock } = startWithWallClock(lab, measured, context, [
      '--vehicle-ids=1',
      '--period-ms=200',
      '--simulated-time',
      '--time-source=self',
      '--real-time-factor=20',
    ]);
    const { startSignals } = controller;
    await startSignals.untilCount(20);
    for (const byS of jumpsS) {
      clock.jump(byS);
      await startSignals.untilCount(startSignals.items.length + 20);
    }
    middleware.signal('SIGINT');
    await middleware.ended;
    const times = startSignals.items.map(({ list }) => list.t_now);
    expect(times).toEqual(times.map((_, i) => 1n + BigInt(i) * periodNs));
    const { commands_refused, controllers } = middleware.summary();
    expect(commands_refused).toEqual({});
    expect(controllers[1]?.misses).toBe(0);
    measured(`${times.length} steps, all of them exact, 0 commands refused, 0 misses`);
  },
);
