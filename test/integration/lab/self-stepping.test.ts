import { describe, expect, it } from 'vitest';
import { openOriginalLab } from '../../support/original-lab.js';

const ms = 1_000_000n;
const stopSymbol = 0xffff_ffff_ffff_ffffn;
const periodNs = 20n * ms;

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
    const received = startSignals.items.map(({ receivedAtNs }) => receivedAtNs);
    return {
      times: startSignals.items.map(({ list }) => list.t_now),
      tookNs: (received.at(-1) ?? 0n) - (received[0] ?? 0n),
      triggers: triggers.items,
    };
  });
  return { runs, middleware };
}

function grid(firstNs: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => firstNs + BigInt(i) * periodNs);
}

describe('simulated time that steps by itself', () => {
  it.each([
    { untilNs: 5_000_000_001n, steps: 251 },
    { untilNs: 5_000_000_000n, steps: 250 },
  ])(
    'goes on as fast as all reply, and makes $steps steps of 20 ms until $untilNs ns',
    async ({ untilNs, steps }) => {
      const { runs, middleware } = await run(`--steps_until=${untilNs}`);
      for (const { times, tookNs, triggers } of runs) {
        expect(times).toEqual(grid(1n, steps));
        // Five seconds of simulated time; a program that polls every 20 ms takes longer than that.
        expect(tookNs).toBeLessThan(4_000n * ms);
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
    },
  );

  it('begins at the offset, and ends after the wanted number of periods', async () => {
    const { runs } = await run('--offset_nanoseconds=123456789', '--periods=7');
    for (const { times } of runs) expect(times).toEqual(grid(123_456_789n, 7));
  });

  it.each([
    { factor: 1, leastNs: 980n * ms },
    { factor: 4, leastNs: 245n * ms },
  ])(
    'does not run faster than $factor times real time with --real-time-factor',
    async ({ factor, leastNs }) => {
      const { runs } = await run(`--real_time_factor=${factor}`, '--periods=50');
      for (const { times, tookNs } of runs) {
        expect(times).toEqual(grid(1n, 50));
        // The first start signal may have been on its way for longer than the last one.
        expect(tookNs).toBeGreaterThan((leastNs * 9n) / 10n);
        expect(tookNs).toBeLessThan(leastNs + 3000n * ms);
      }
    },
  );
});
