import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { Middleware } from '../support/middleware.js';
import type { ScriptedController } from '../support/scripted-controller.js';
import { openTestLab, type TestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';

const stalls = 5;
const periodNs = 50_000_000n;

/** The distances of start signals in time of arrival, ns. */
function gapsOf({ startSignals }: ScriptedController): number[] {
  const at = startSignals.items.map(({ receivedAtNs }) => Number(receivedAtNs));
  return at.slice(1).map((t, i) => t - (at[i] ?? 0));
}

/** A middleware whose JavaScript thread stands still for a while at each SIGUSR2. */
function startWithStalls({ uri }: TestLab, stallMs: number, ...flags: string[]): Middleware {
  const preloaded = new URL('../peers/stall.mjs', import.meta.url).href;
  return new Middleware(uri, ['--period-ms=50', ...flags], {
    through: ['env', `HLC_TEST_STALL_MS=${stallMs}`, `NODE_OPTIONS=--import=${preloaded}`],
  });
}

faultTest(
  {
    row: 22,
    fault: 'the event loop of the middleware stands still for 200 ms, five times',
    mode: 'real time',
    expected:
      'start signals go on in time, from a thread of their own; each stall logged and counted',
  },
  async (measured) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = startWithStalls(lab, 200, '--vehicle-ids=1');
    const { startSignals } = controller;
    for (let i = 0; i < stalls; i++) {
      await startSignals.untilCount(startSignals.items.length + 5);
      middleware.signal('SIGUSR2');
      await startSignals.untilCount(startSignals.items.length + 8);
    }
    middleware.signal('SIGINT');
    await middleware.ended;
    const summary = middleware.summary();
    const [logged] = middleware.logged('the event loop stood still');
    const gaps = gapsOf(controller);
    measured(
      `${summary.event_loop_stalls} stalls counted, longest ${ms(summary.event_loop_stall_max_us * 1000)}, ` +
        `${summary.start_signals_repeated} start signals with the states of an earlier one, ${summary.skipped_periods} periods skipped, ` +
        `start signals ${ms(Math.min(...gaps))} to ${ms(Math.max(...gaps))} apart (T 50 ms), ` +
        `${summary.controllers[1]?.misses ?? 0} misses`,
    );
    expect(summary.event_loop_stalls).toBeGreaterThanOrEqual(stalls);
    expect(summary.event_loop_stall_max_us).toBeGreaterThan(100_000);
    expect(Number(logged?.stall_ms)).toBeGreaterThan(50);
    // At least three periods begin within 200 ms.
    expect(summary.start_signals_repeated).toBeGreaterThanOrEqual(3 * stalls);
    expect(summary.skipped_periods).toBe(0);
    const times = startSignals.items.map(({ list }) => list.t_now);
    expect(times).toEqual(times.map((_, i) => (times[0] ?? 0n) + BigInt(i) * periodNs));
    // Start signals that wait for JavaScript are late at each stall; the machine may hold up one or two.
    const [longest = 0, , thirdLongest = 0] = gaps.sort((a, b) => b - a);
    expect(thirdLongest).toBeLessThan(Number(periodNs) * 1.5);
    expect(longest).toBeLessThan(Number(periodNs) * 3);
    // A reply that was received during a stall counts for its period.
    expect(summary.controllers[1]?.misses).toBe(0);
  },
);

faultTest(
  {
    row: 22,
    fault: 'the event loop of the middleware stands still for 400 ms, three times, with a guard',
    mode: 'real time',
    expected: 'no reply of that time is a miss, and no vehicle is stopped',
  },
  async (measured) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const flags = ['--vehicle-ids=1', '--guard', '--miss-policy=stop', '--grace-ms=0'];
    const middleware = startWithStalls(lab, 400, ...flags);
    const { startSignals } = controller;
    for (let i = 0; i < 3; i++) {
      await startSignals.untilCount(startSignals.items.length + 10);
      middleware.signal('SIGUSR2');
      await startSignals.untilCount(startSignals.items.length + 12);
    }
    middleware.signal('SIGINT');
    await middleware.ended;
    const { event_loop_stalls: stalled, controllers } = middleware.summary();
    const { misses = NaN, replies = NaN } = controllers[1] ?? {};
    const stops = middleware.logged('is being stopped').length;
    measured(`${stalled} stalls, ${replies} replies, ${misses} misses, ${stops} stops`);
    expect(stalled).toBeGreaterThanOrEqual(3);
    expect(misses).toBe(0);
    expect(stops).toBe(0);
  },
);

faultTest(
  {
    row: 22,
    fault: 'the event loop of the middleware stands still for 3 s',
    mode: 'real time',
    expected:
      'start signals for 1 s, then none, since no command would be forwarded; then on the grid',
  },
  async (measured) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = startWithStalls(lab, 3000, '--vehicle-ids=1');
    const { startSignals } = controller;
    await startSignals.untilCount(10);
    const before = startSignals.items.length;
    middleware.signal('SIGUSR2');
    const isLong = (gap: number) => gap > 1e9;
    await startSignals.until(() => gapsOf(controller).some(isLong));
    await startSignals.untilCount(startSignals.items.length + 5);
    middleware.signal('SIGINT');
    await middleware.ended;
    const summary = middleware.summary();
    const gaps = gapsOf(controller);
    const longest = Math.max(...gaps);
    const meanwhile = gaps.findIndex(isLong) + 1 - before;
    measured(
      `${meanwhile} start signals, then none for ${ms(longest)}, ` +
        `${summary.skipped_periods} periods skipped, shortest distance ${ms(Math.min(...gaps))}`,
    );
    expect(meanwhile).toBeGreaterThan(15);
    // One more may have been under way when the signal was sent.
    expect(meanwhile).toBeLessThanOrEqual(21);
    expect(longest).toBeGreaterThan(1.8e9);
    expect(gaps.filter(isLong)).toHaveLength(1);
    const times = startSignals.items.map(({ list }) => list.t_now);
    expect(times.filter((t) => (t - 1n) % periodNs !== 0n)).toEqual([]);
    expect(Math.min(...gaps)).toBeGreaterThan(Number(periodNs) / 5);
  },
);

/** Lets a program run for 15 ms of every 75 ms, as a quota of the processor would. */
async function starve(middleware: Middleware, rounds: number): Promise<void> {
  const isThere = () => !middleware.program.gone;
  for (let i = 0; i < rounds && isThere(); i++) {
    middleware.signal('SIGSTOP');
    await wait(60);
    if (isThere()) middleware.signal('SIGCONT');
    await wait(15);
  }
}

faultTest(
  {
    row: 23,
    fault: 'the middleware gets a fifth of a processor, in slices',
    mode: 'real time',
    expected: 'skips to the grid, each skipped period counted, no burst',
  },
  async (measured) => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=20');
    const { startSignals } = controller;
    await startSignals.untilCount(10);
    await starve(middleware, 25);
    await startSignals.untilCount(startSignals.items.length + 10);
    middleware.signal('SIGINT');
    await middleware.ended;
    const times = startSignals.items.map(({ list }) => list.t_now);
    const steps = times.slice(1).map((t, i) => Number(t - (times[i] ?? 0n)) / 20e6);
    const skipped = steps.reduce((sum, step) => sum + step - 1, 0);
    const summary = middleware.summary();
    const aheadNs = lab.clocks.realtimeNs() - lab.clocks.monotonicNs();
    const late = startSignals.items.map(({ list, receivedAtNs }) =>
      Number(receivedAtNs + aheadNs - list.t_now),
    );
    measured(
      `${summary.skipped_periods} periods skipped and counted (${skipped} seen), ` +
        `no start signal later than ${ms(Math.max(...late))} (T 20 ms)`,
    );
    expect(steps.filter((step) => step < 1 || !Number.isInteger(step))).toEqual([]);
    expect(summary.skipped_periods).toBe(skipped);
    expect(skipped).toBeGreaterThan(20);
  },
);

/** Both runs of 500 steps in simulated time end well and forward the same; the second one is disturbed. */
async function compareRuns(
  disturb: (middleware: Middleware) => void | Promise<void>,
  measured: (values: string) => void,
): Promise<void> {
  const lab = openTestLab();
  const vehicles = lab.vehicles();
  const controller = lab.controller({ ids: [1, 2] });
  controller.signIn();
  const periods = 500;
  const run = async (disturbance: typeof disturb) => {
    const first = vehicles.commands.items.length;
    const middleware = startWithStalls(
      lab,
      2000,
      ...['--vehicle-ids=1,2', '--simulated-time', '--time-source=self', '--guard'],
      // Not faster: a newer command replaces one that has not reached its vehicle yet.
      ...['--real-time-factor=20', `--periods=${periods}`],
    );
    await controller.startSignals.untilCount(controller.startSignals.items.length + 10);
    const begunNs = lab.clocks.monotonicNs();
    await disturbance(middleware);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const tookNs = lab.clocks.monotonicNs() - begunNs;
    const { controllers } = middleware.summary();
    expect(controllers).toMatchObject({
      1: { replies: periods, misses: 0 },
      2: { replies: periods, misses: 0 },
    });
    await vehicles.commands.untilCount(first + 2 * periods);
    // What follows stops the vehicles at the end of the run.
    const commands = vehicles.commands.items.slice(first, first + 2 * periods);
    return {
      tookNs,
      bytes: commands.map(({ bytes }) => Buffer.from(bytes).toString('hex')).sort(),
    };
  };
  const free = await run(() => undefined);
  const disturbed = await run(disturb);
  expect(disturbed.bytes).toEqual(free.bytes);
  // One at the end of each run.
  expect(controller.triggers.items).toHaveLength(2);
  measured(
    `${free.bytes.length} commands the same; ${periods} steps in ${ms(disturbed.tookNs)} instead of ${ms(free.tookNs)}`,
  );
  expect(disturbed.tookNs).toBeGreaterThan(free.tookNs);
}

const sameSteps = {
  mode: 'simulated time',
  expected: 'slower, with exactly the same steps and commands',
} as const;

faultTest(
  { row: 22, fault: 'the event loop of the middleware stands still for 2 s', ...sameSteps },
  (measured) => compareRuns((middleware) => middleware.signal('SIGUSR2'), measured),
);

faultTest(
  { row: 23, fault: 'the middleware gets a fifth of a processor, in slices', ...sameSteps },
  (measured) => compareRuns((middleware) => starve(middleware, 100), measured),
);
