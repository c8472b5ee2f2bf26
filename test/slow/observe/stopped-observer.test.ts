import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram } from '../../support/middleware.js';

/** Thousands of steps take long on a busy machine: no wait is for more than these. */
const atOnce = 500;

describe('an observer that is stopped', () => {
  it.each([
    {
      time: 'simulated time',
      flags: ['--simulated-time', '--time-source=self', '--period-ms=20'],
      periods: { all: 20_000, stopped: 1000, killed: 12_000 },
    },
    {
      time: 'real time',
      flags: ['--period-ms=50'],
      periods: { all: 100, stopped: 20, killed: 80 },
    },
  ])('holds up no period in $time, and can be killed', async ({ flags, periods }) => {
    const lab = openTestLab();
    const socket = path.join(temporaryFolder(), 'a.sock');
    const observer = new ChildProgram(
      'the observer',
      process.execPath,
      [cliProgram, 'observe', `--control-socket=${socket}`, '--port=0'],
      lab.uri,
    );
    await observer.stdout.until((line) => line.startsWith('page to look at'));
    const middleware = lab.startMiddleware(
      ...flags,
      `--periods=${periods.all}`,
      `--control-socket=${socket}`,
    );
    await middleware.untilLogged('waiting for controllers');
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    await controller.startSignals.untilCount(periods.stopped);
    observer.signal('SIGSTOP');
    // A middleware that waited for it would not get there.
    for (let count = periods.stopped; count < periods.killed; count += atOnce) {
      await controller.startSignals.untilCount(Math.min(count + atOnce, periods.killed));
    }
    observer.signal('SIGKILL');
    expect(await middleware.ended).toMatchObject({ code: 0 });
    expect(middleware.summary()).toMatchObject({
      start_signals: periods.all,
      observers_removed: 0,
    });
  });
});
