import { describe, expect, it } from 'vitest';
import { openTestLab } from '../../support/test-lab.js';
import type { Middleware } from '../../support/middleware.js';

/** The sentence with which a program ended, and its code. */
function lastSentence(middleware: Middleware): string | undefined {
  return middleware.program.stderr.items.findLast((line) => line.startsWith('hlc-middleware: '));
}

function waitedSeconds(middleware: Middleware, text: string): number[] {
  return middleware.logged(text).map(({ waited_s }) => Number(waited_s));
}

describe('a wait with an end', () => {
  it.each([
    ['real time', []],
    ['simulated time', ['--simulated-time', '--time-source=self']],
  ])(
    'for ready signals names the missing every 2 s, then ends with exit code 3, in %s',
    async (_, flags) => {
      const lab = openTestLab();
      const controller = lab.controller({ ids: [1] });
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1,2,7',
        '--period-ms=50',
        '--ready-timeout-ms=4500',
        ...flags,
      );
      await middleware.untilLogged('waiting for controllers');
      controller.signIn();
      expect(await middleware.ended).toEqual({ code: 3, signal: null });
      const named = 'waiting for the ready signals of controllers 2, 7 on DDS domain 1';
      expect(waitedSeconds(middleware, named).map(Math.floor)).toEqual([2, 4, 4]);
      expect(lastSentence(middleware)).toContain('[HLC_READY_TIMEOUT]');
      expect(controller.startSignals.items).toEqual([]);
    },
  );
});
