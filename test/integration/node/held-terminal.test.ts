import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Middleware } from '../../support/middleware.js';
import { openTestLab } from '../../support/test-lab.js';

const onTerminal = fileURLToPath(new URL('../../peers/on-terminal.sh', import.meta.url));

/** A line each: the tables of two seconds fill what a terminal holds. */
const ids = Array.from({ length: 100 }, (_, i) => i + 1);
/** Four seconds: the pacer stands in for one. */
const startSignalsWhileHeld = 40;

it('a terminal that is held up holds up no start signal', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids });
  controller.signIn();
  const flags = ['--vehicle-amount=100', '--period-ms=100', '--table=on'];
  const middleware = new Middleware(lab.uri, flags, { through: [onTerminal] });
  const { startSignals } = controller;
  await startSignals.untilCount(10);
  middleware.signal('SIGSTOP');
  const before = startSignals.items.length;
  await startSignals.untilCount(before + startSignalsWhileHeld);
  middleware.signal('SIGCONT');
  const times = startSignals.items.map(({ list }) => list.t_now);
  const skipped = times.slice(1).filter((t, i) => t - (times[i] ?? 0n) > 1_000_000_000n);
  expect(skipped).toEqual([]);
  middleware.signal('SIGTERM');
  await middleware.ended;
});
