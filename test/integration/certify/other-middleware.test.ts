import { expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

function startCheck({ uri }: TestLab, ...flags: string[]): ChildProgram {
  const args = [cliProgram, 'check', '--vehicle-ids=1', '--control-socket=off', ...flags];
  return new ChildProgram('the check', process.execPath, args, loopbackUri(uri));
}

it('a check beside a middleware is refused before it starts or sends anything', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
  controller.signIn();
  await controller.startSignals.untilCount(5);
  const check = startCheck(lab, '--', process.execPath, '-e', 'console.error("started")');
  expect(await check.ended).toEqual({ code: 1, signal: null });
  expect(check.stdout.items).toEqual([]);
  expect(check.stderr.items).toEqual([
    expect.stringMatching(
      new RegExp(
        `^hlc-middleware: Another middleware \\(hlc-middleware/middleware, process ${middleware.program.pid}\\) runs on DDS domain 1, .*\\[HLC_CHECK_MIDDLEWARE\\]$`,
      ),
    ),
  ]);
  await controller.startSignals.untilCount(controller.startSignals.items.length + 5);
  expect(controller.triggers.items).toEqual([]);
  middleware.signal('SIGTERM');
  await middleware.ended;
  // Only the middleware sent start signals.
  expect(controller.startSignals.items).toHaveLength(middleware.summary().start_signals);
});

it('a middleware that comes during a check ends the check before its stop trigger', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  const check = startCheck(lab);
  controller.signIn();
  await controller.startSignals.untilCount(1);
  lab.join('controllers').createWriter(topics.vehicleStateList, {});
  expect(await check.ended).toEqual({ code: 1, signal: null });
  expect(check.stderr.items.at(-1)).toMatch(
    new RegExp(`^hlc-middleware: Another middleware \\(.+, process ${process.pid}\\) runs on`),
  );
  expect(controller.triggers.items).toEqual([]);
});
