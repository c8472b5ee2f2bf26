import { describe, expect, it } from 'vitest';
import { builtPeers } from '../../peers/build-peers.js';
import { Middleware } from '../../support/middleware.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { openTestLab } from '../../support/test-lab.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
const periods = 60;
const firstDomain = 10;
/** A controller that never answers: a warning in each period, so that there is much to log. */
const silent = { ids: [1], onStart: () => undefined };

/** A reader that leaves after two lines, and says so when none can be written to it any more. */
const left = 'the reader has left';
const leaves = `{ head -n 2; exec 0<&-; echo '${left}'; }`;

/** How the output of a run breaks, in bash, and whether lines are lost by it. */
const broken: readonly (readonly [how: string, shell: string, loses: boolean])[] = [
  ['its log is on a full disk', `"$@" 2>/dev/full`, true],
  ['its log and its summary are on a full disk', `"$@" >/dev/full 2>&1`, true],
  ['the reader of its log leaves after two lines', `"$@" 2> >(${leaves} >&2)`, true],
  [
    'the reader of log and summary leaves after two lines',
    `"$@" 2>&1 | ${leaves}; exit "\${PIPESTATUS[0]}"`,
    true,
  ],
  ['the reader of its summary is gone', `"$@" | true; exit "\${PIPESTATUS[0]}"`, false],
  ['its standard error is closed', `"$@" 2>&-`, false],
  ['its standard output is closed', `"$@" >&-`, false],
  ['both are closed', `"$@" >&- 2>&-`, false],
];

describe('a run whose output cannot be written', () => {
  it('goes on to its normal end', async () => {
    const lab = openTestLab();
    // Each in a lab of its own, all at the same time.
    const runs = broken.map(([how, shell, loses], i) => {
      const domain = firstDomain + i;
      const controller = new ScriptedController(lab.joinDomain(domain), silent);
      const domains = [
        `--dds-domain=${firstDomain + broken.length + i}`,
        `--domain-number=${domain}`,
      ];
      const run = ['--vehicle-ids=1', '--period-ms=20', `--periods=${periods}`, ...domains];
      const middleware = new Middleware(lab.uri, [...run, '--log-format=pretty'], {
        through: ['bash', '-c', shell, 'bash'],
      });
      const { stdout, stderr } = middleware.program;
      const hasLeft = (line: string) => line === left;
      const broke = shell.includes(left)
        ? Promise.any([stdout.until(hasLeft), stderr.until(hasLeft)])
        : Promise.resolve('');
      void broke.then(() => controller.signIn());
      return { how, loses, controller, middleware };
    });
    for (const { how, loses, controller, middleware } of runs) {
      expect(await middleware.ended, how).toEqual({ code: 0, signal: null });
      const summary = middleware.summary();
      expect(summary, how).toMatchObject({ start_signals: periods });
      await controller.startSignals.untilCount(periods);
      expect(controller.startSignals.items.length, how).toBe(periods);
      if (loses) expect(summary.output_lines_lost, how).toBeGreaterThan(periods / 2);
      else expect(summary.output_lines_lost, how).toBe(0);
    }
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
        { through: [builtPeers()['closing-terminal']] },
      );
      await controller.startSignals.untilCount(20);
      middleware.signal('SIGUSR1');
      expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
      expect(await middleware.ended).toEqual({ code: 129, signal: null });
      expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
    },
  );
});
