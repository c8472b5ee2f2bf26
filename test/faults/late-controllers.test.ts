import { expect } from 'vitest';
import { directCommand } from '../support/commands.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';
import { throttles } from './stop-commands.js';

/** Long enough for a busy machine to answer within half of it. */
const periodMs = 300;

const steps = ['--period-ms=50', '--simulated-time', '--time-source=self', '--real-time-factor=2'];

faultTest(
  {
    row: 2,
    fault: 'answers late by 1.5 periods, for four periods',
    mode: 'real time',
    expected:
      'each miss and each late reply logged, no late command forwarded, the others unaffected',
  },
  async (measured) => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        period++;
        self.answer(list, [2]);
        if (period < 5 || period > 8) self.answer(list, [1]);
        else setTimeout(() => self.send(directCommand(1, list.t_now)), 1.5 * periodMs);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1,2',
      `--period-ms=${periodMs}`,
      '--periods=16',
      '--miss-policy=log',
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { controllers, commands_refused, commands_forwarded } = middleware.summary();
    measured(
      `${controllers[1]?.misses ?? 0} misses, ${controllers[1]?.late_replies ?? 0} late replies, ` +
        `${commands_refused.HLC_COMMAND_CREATED_BEFORE_PERIOD ?? 0} late commands refused; other controller: ${controllers[2]?.misses ?? 0} misses`,
    );
    // The last of the four comes after the answer to the period that followed, and counts no more.
    expect(controllers[1]).toMatchObject({ misses: 4, late_replies: 3, replies: 12 });
    expect(controllers[2]).toMatchObject({ misses: 0, replies: 16 });
    expect(commands_refused).toEqual({ HLC_COMMAND_CREATED_BEFORE_PERIOD: 4 });
    expect(commands_forwarded.vehicleCommandDirect).toBe(28);
    expect(throttles(vehicles, 1).filter(({ throttle }) => throttle > 0)).toHaveLength(12);
    const times = controller.startSignals.items.map(({ list }) => list.t_now);
    expect(times.filter((t) => (t - 1n) % (BigInt(periodMs) * 1_000_000n) !== 0n)).toEqual([]);
  },
);

faultTest(
  {
    row: 2,
    fault: 'answers late by 300 ms',
    mode: 'simulated time',
    expected: 'time holds, no miss, goes on at once when the reply comes',
  },
  async (measured) => {
    const lab = openTestLab();
    let answeredNs = 0n;
    let nextNs = 0n;
    let step = 0;
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        step++;
        if (step === 11) nextNs = lab.clocks.monotonicNs();
        if (step !== 10) {
          self.answer(list);
          return;
        }
        setTimeout(() => {
          answeredNs = lab.clocks.monotonicNs();
          self.answer(list);
        }, 300);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--simulated-time',
      '--time-source=self',
      '--periods=20',
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { controllers } = middleware.summary();
    expect(controllers[1]).toMatchObject({ replies: 20, misses: 0, late_replies: 0 });
    expect(controllers[1]?.reply_time_us.max).toBeGreaterThan(290_000);
    measured(
      `held for ${ms((controllers[1]?.reply_time_us.max ?? 0) * 1000)}, next step ${ms(nextNs - answeredNs)} after the reply, 0 misses`,
    );
    expect(nextNs - answeredNs).toBeLessThan(100_000_000n);
  },
);

for (const { mode, flags } of [
  { mode: 'real time', flags: ['--period-ms=50'] },
  { mode: 'simulated time', flags: steps },
] as const) {
  faultTest(
    {
      row: 7,
      fault: 'a controller with an id that is not listed',
      mode,
      expected: 'does not count for the barrier, one warning, its commands refused',
    },
    async (measured) => {
      const lab = openTestLab();
      const vehicles = lab.vehicles();
      const stranger = lab.controller({ ids: [9] });
      stranger.signIn();
      const middleware = lab.startMiddleware('--vehicle-ids=1', ...flags);
      await middleware.untilLogged('a ready signal came from a source that is no controller');
      expect(stranger.startSignals.items).toEqual([]);
      for (let i = 0; i < 10; i++) stranger.signIn();
      const controller = lab.controller({ ids: [1] });
      controller.signIn();
      await controller.startSignals.untilCount(20);
      middleware.signal('SIGINT');
      await middleware.ended;
      const warnings = middleware.logged('a ready signal came from a source that is no controller');
      const refused = middleware.summary().commands_refused.HLC_COMMAND_UNKNOWN_VEHICLE ?? 0;
      measured(
        `${warnings.length} warning for 11 ready signals, ${refused} commands refused, ${throttles(vehicles, 9).length} forwarded`,
      );
      expect(warnings).toHaveLength(1);
      expect(refused).toBeGreaterThan(10);
      expect(throttles(vehicles, 9)).toEqual([]);
    },
  );
}
