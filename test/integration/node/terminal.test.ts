import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram, Middleware } from '../../support/middleware.js';
import { openTestLab } from '../../support/test-lab.js';

const onTerminal = fileURLToPath(new URL('../../peers/on-terminal.sh', import.meta.url));

/** A line each: the tables of two seconds fill what a terminal holds. */
const ids = Array.from({ length: 100 }, (_, i) => i + 1);
/** Four seconds: the pacer stands in for one. */
const startSignalsWhileHeld = 40;

it('a terminal that is held up holds up no start signal', async () => {
  const lab = openTestLab();
  // Nothing is answered: the log has the more to show, and this test takes no processor from the middleware.
  const controller = lab.controller({ ids, onStart: () => undefined });
  controller.signIn();
  const flags = ['--vehicle-amount=100', '--period-ms=100', '--table=on'];
  const middleware = new Middleware(lab.uri, flags, { through: [onTerminal] });
  const { startSignals } = controller;
  await startSignals.untilCount(10);
  middleware.signal('SIGSTOP');
  const before = startSignals.items.length;
  // A middleware that waited for the terminal would not get there.
  await startSignals.untilCount(before + startSignalsWhileHeld);
  middleware.signal('SIGCONT');
  middleware.signal('SIGTERM');
  await middleware.ended;
});

it('a terminal of unknown size shows the log and the table', async () => {
  const play = `exec '${process.execPath}' '${cliProgram}' play --control-socket=off --periods=20`;
  // Without a terminal of its own, script(1) opens one with 0 rows and 0 columns.
  const args = ['--quiet', '--return', '--flush', '--command', play, '/dev/null'];
  const terminal = new ChildProgram('play', 'script', args, loopbackUri(isolatedCycloneUri()));
  const { code } = await terminal.ended;
  const shown = terminal.stdout.items.join('\n');
  expect(code, shown).toBe(0);
  expect(shown).toContain('all controllers are ready');
  expect(shown).toMatch(/^controller +state +last reply/m);
});
