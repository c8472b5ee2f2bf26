import { expect } from 'vitest';
import { commandsOfAllKinds } from '../support/commands.js';
import { PeerProcess } from '../support/peer-process.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest } from './fault-row.js';

const ids = Array.from({ length: 20 }, (_, i) => i + 1);
const hangs = 60;

for (const { mode, flags } of [
  { mode: 'real time', flags: [] },
  {
    mode: 'simulated time',
    flags: [
      '--simulated-time',
      '--time-source=self',
      '--real-time-factor=2',
      // The trajectories begin half a second in the past.
      '--offset-nanoseconds=1000000000',
    ],
  },
] as const) {
  faultTest(
    {
      row: 21,
      fault: `the vehicles read reliably, keep all, and hang for ${hangs} periods of 20 ms`,
      mode,
      expected: 'no write waits for them; the newest commands reach them when they go on',
    },
    async (measured) => {
      const lab = openTestLab();
      const vehicles = new PeerProcess('vehicles', lab.uri, { domain: 0 });
      const controller = lab.controller({
        ids,
        // Trajectories of 4 kB: far more in all than the library buffers for a reader.
        onStart: (list, self) => {
          for (const id of ids) {
            for (const command of commandsOfAllKinds(id, list.t_now)) {
              if (command.kind === 'trajectory') self.send(command);
            }
          }
        },
      });
      controller.signIn();
      const middleware = lab.startMiddleware(
        `--vehicle-ids=${ids.join(',')}`,
        '--period-ms=20',
        '--check-policy=flag',
        ...flags,
      );
      await vehicles.events.until(() => vehicles.named('command').length >= 100);
      vehicles.signal('SIGSTOP');
      const { length } = controller.startSignals.items;
      const { list: last } = await controller.startSignals.untilCount(length + hangs);
      vehicles.signal('SIGCONT');
      await vehicles.events.until(
        ({ event, create }) => event === 'command' && BigInt(String(create)) > last.t_now,
      );
      middleware.signal('SIGINT');
      expect(await middleware.ended).toEqual({ code: 130, signal: null });
      const summary = middleware.summary();
      const { p50, p99 } = summary.start_signal_lateness_us;
      measured(
        `${summary.start_signals} start signals, late by p50 ${p50} µs, p99 ${p99} µs; ` +
          `${summary.skipped_periods} skipped, ${Object.keys(summary.writes_failed).length} writes failed`,
      );
      expect(summary.writes_failed).toEqual({});
      // A quarter of the period: not each start signal waits for a write. The bench has the figures.
      expect(p50).toBeLessThan(5000);
    },
  );
}
