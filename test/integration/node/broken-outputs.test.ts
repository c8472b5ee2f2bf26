import { describe, expect, it } from 'vitest';
import { buildPeers } from '../../peers/build-peers.js';
import { Middleware } from '../../support/middleware.js';
import { openTestLab } from '../../support/test-lab.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
const periods = 60;
/** A controller that never answers: a warning in each period, so that there is much to log. */
const silent = { ids: [1], onStart: () => undefined };

describe('a run whose output cannot be written goes on to its normal end', () => {
  it.each([
    ['its log is on a full disk', `"$@" 2>/dev/full`, true],
    ['its log and its summary are on a full disk', `"$@" >/dev/full 2>&1`, true],
    ['the reader of its log leaves after two lines', `"$@" 2> >(head -n 2 >&2)`, true],
    [
      'the reader of log and summary leaves after two lines',
      `"$@" 2>&1 | head -n 2; exit "\${PIPESTATUS[0]}"`,
      true,
    ],
    ['the reader of its summary is gone', `"$@" | true; exit "\${PIPESTATUS[0]}"`, false],
    ['its standard error is closed', `"$@" 2>&-`, false],
    ['its standard output is closed', `"$@" >&-`, false],
    ['both are closed', `"$@" >&- 2>&-`, false],
  ])('when %s', async (_, shell, loses) => {
    const lab = openTestLab();
    const controller = lab.controller(silent);
    controller.signIn();
    const middleware = new Middleware(
      lab.uri,
      ['--vehicle-ids=1', '--period-ms=50', `--periods=${periods}`, '--log-format=pretty'],
      { through: ['bash', '-c', shell, 'bash'] },
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const summary = middleware.summary();
    expect(summary).toMatchObject({ start_signals: periods });
    expect(controller.startSignals.items.length).toBeGreaterThanOrEqual(periods);
    if (loses) expect(summary.output_lines_lost).toBeGreaterThanOrEqual(periods - 2);
    else expect(summary.output_lines_lost).toBe(0);
  });
});

describe('a terminal that closes', () => {
  it.each(['--table=on', '--table=off'])(
    'ends the run with exit code 129 and the stop for the controllers, with %s',
    async (table) => {
      const lab = openTestLab();
      const controller = lab.controller({ ids: [1] });
      controller.signIn();
      const middleware = new Middleware(
        lab.uri,
        ['--vehicle-ids=1', '--period-ms=20', '--log-level=debug', table],
        { through: [buildPeers()['closing-terminal']] },
      );
      await controller.startSignals.untilCount(20);
      middleware.signal('SIGUSR1');
      expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
      expect(await middleware.ended).toEqual({ code: 129, signal: null });
      expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
    },
  );
});
