import { expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

function startCertification({ uri }: TestLab, ...flags: string[]): ChildProgram {
  const args = [cliProgram, 'certify', '--vehicle-ids=1', '--control-socket=off', ...flags];
  return new ChildProgram('the certification', process.execPath, args, loopbackUri(uri));
}

it('a certification beside a middleware is refused before it starts or sends anything', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
  controller.signIn();
  await controller.startSignals.untilCount(5);
  const certification = startCertification(
    lab,
    '--',
    process.execPath,
    '-e',
    'console.error("started")',
  );
  expect(await certification.ended).toEqual({ code: 1, signal: null });
  expect(certification.stdout.items).toEqual([]);
  expect(certification.stderr.items).toEqual([
    expect.stringMatching(
      new RegExp(
        `^hlc-middleware: Another middleware \\(hlc-middleware/middleware, process ${middleware.program.pid}\\) runs on DDS domain 1, .*\\[HLC_OTHER_MIDDLEWARE\\]$`,
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

it('a middleware that comes during a certification ends it before its stop trigger', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  const certification = startCertification(lab);
  controller.signIn();
  await controller.startSignals.untilCount(1);
  lab.join('controllers').createWriter(topics.vehicleStateList, {});
  expect(await certification.ended).toEqual({ code: 1, signal: null });
  expect(certification.stderr.items.at(-1)).toMatch(
    new RegExp(`^hlc-middleware: Another middleware \\(.+, process ${process.pid}\\) runs on`),
  );
  expect(controller.triggers.items).toEqual([]);
});
