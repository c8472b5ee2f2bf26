import { describe, expect, it } from 'vitest';
import { openOriginalLab } from '../../support/original-lab.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
const periodNs = 20_000_000n;

/** What the middleware logs before its first step, and after its last one. */
const firstWords = 'all controllers are ready';
const lastWords = 'the wanted number of periods is over';

/** A run without a lab control, from the first start signal to the end of the process. */
async function run(...flags: string[]) {
  const lab = openOriginalLab();
  const controllers = [[1, 2], [3]].map((ids) => lab.controller({ ids }));
  for (const controller of controllers) controller.signIn();
  const middleware = lab.startMiddleware(
    '--vehicle_ids=1,2,3',
    '--simulated_time=true',
    '--time_source=self',
    '--period_ms=20',
    ...flags,
  );
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  const runs = controllers.map(({ startSignals, triggers }) => {
    return {
      times: startSignals.items.map(({ list }) => list.t_now),
      triggers: triggers.items,
    };
  });
  const [begin = NaN, end = NaN] = middleware.logs.items
    .filter(({ msg }) => [firstWords, lastWords].includes(msg))
    .map(({ time }) => Date.parse(time));
  return { runs, middleware, tookMs: end - begin };
}

function grid(firstNs: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => firstNs + BigInt(i) * periodNs);
}

describe('simulated time that steps by itself', () => {
  it.each([
    { untilNs: 5_000_000_001n, steps: 251 },
    { untilNs: 5_000_000_000n, steps: 250 },
  ])('makes $steps steps of 20 ms until $untilNs ns', async ({ untilNs, steps }) => {
    const { runs, middleware } = await run(`--steps_until=${untilNs}`);
    for (const { times, triggers } of runs) {
      expect(times).toEqual(grid(1n, steps));
      expect(triggers).toEqual([stopSymbol]);
    }
    expect(middleware.logged('simulated time reached its end')).toHaveLength(1);
    const controller = { replies: steps, misses: 0, late_replies: 0 };
    expect(middleware.summary()).toMatchObject({
      periods: steps,
      start_signals: steps,
      skipped_periods: 0,
      controllers: { 1: controller, 2: controller, 3: controller },
    });
  });

  it('begins at the offset, and ends after the wanted number of periods', async () => {
    const { runs } = await run('--offset_nanoseconds=123456789', '--periods=7');
    for (const { times } of runs) expect(times).toEqual(grid(123_456_789n, 7));
  });

  it.each([
    // A step that begins late, by one of these at most, does not delay those after it.
    { factor: 1, spacingMs: 20 },
    { factor: 4, spacingMs: 5 },
  ])(
    'does not run faster than $factor times real time with --real-time-factor',
    async ({ factor, spacingMs }) => {
      const { runs, tookMs } = await run(`--real_time_factor=${factor}`, '--periods=50');
      for (const { times } of runs) expect(times).toEqual(grid(1n, 50));
      // The log has whole milliseconds.
      expect(tookMs).toBeGreaterThanOrEqual(48 * spacingMs - 1);
    },
  );
});
