import { expect } from 'vitest';
import { builtPeers } from '../peers/build-peers.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
const s = 1_000_000_000n;

// The end is as long as by default.
const end = ['--period-ms=50', '--zero-speed-ms=1000'];

for (const { mode, flags } of [
  { mode: 'real time', flags: end },
  { mode: 'simulated time', flags: [...end, '--simulated-time', '--time-source=self'] },
] as const) {
  faultTest(
    {
      row: 14,
      fault: 'SIGTERM or SIGINT to the middleware; a second signal while it ends',
      mode,
      expected:
        'one stop to the controllers, exit 143 or 130 within 2 s; another signal ends it now',
    },
    async (measured) => {
      const figures: string[] = [];
      const lab = openTestLab();
      const controller = lab.controller({ ids: [1] });
      controller.signIn();
      for (const [signal, code] of [
        ['SIGTERM', 143],
        ['SIGINT', 130],
      ] as const) {
        const stops = controller.triggers.items.length;
        const signals = controller.startSignals.items.length;
        const middleware = lab.startMiddleware('--vehicle-ids=1', ...flags);
        await controller.startSignals.untilCount(signals + 5);
        const sentNs = lab.clocks.monotonicNs();
        middleware.signal(signal);
        expect(await middleware.ended).toEqual({ code, signal: null });
        const tookNs = lab.clocks.monotonicNs() - sentNs;
        expect(tookNs).toBeLessThan(2n * s);
        expect(await controller.triggers.untilCount(stops + 1)).toBe(stopSymbol);
        expect(controller.triggers.items).toHaveLength(stops + 1);
        expect(middleware.summary().start_signals).toBeGreaterThanOrEqual(5);
        figures.push(`${signal}: exit ${code} after ${ms(tookNs)}`);
      }

      // A reader that hangs keeps the middleware from ending for about a second.
      const reader = lab.startProgram(builtPeers()['start-reader'], '1');
      const middleware = lab.startMiddleware('--vehicle-ids=1', ...flags);
      await reader.stdout.untilCount(3);
      reader.signal('SIGSTOP');
      middleware.signal('SIGTERM');
      await controller.triggers.untilCount(3);
      const sentNs = lab.clocks.monotonicNs();
      // The same signal again, at once, is the same wish.
      middleware.signal('SIGINT');
      const end = await middleware.ended;
      const tookNs = lab.clocks.monotonicNs() - sentNs;
      expect(end).toEqual({ code: null, signal: 'SIGINT' });
      expect(tookNs).toBeLessThan(s / 2n);
      measured(`${figures.join(', ')}; another signal: gone after ${ms(tookNs)}`);
    },
  );
}
