import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Middleware, type MiddlewareStart } from '../../support/middleware.js';
import { openTestLab } from '../../support/test-lab.js';

const isRoot = process.getuid?.() === 0;

/** Locked memory of a middleware that drives, kB. */
async function lockedKb(start: MiddlewareStart): Promise<number> {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  controller.signIn();
  const middleware = new Middleware(lab.uri, ['--vehicle-ids=1', '--period-ms=20'], start);
  await controller.startSignals.untilCount(5);
  const status = readFileSync(`/proc/${middleware.program.pid ?? 0}/status`, 'utf8');
  middleware.signal('SIGINT');
  expect((await middleware.ended).code).toBe(130);
  return Number(/^VmLck:\s+(\d+) kB$/m.exec(status)?.[1]);
}

it('a middleware in real time keeps its programs in memory', async ({ skip }) => {
  skip(!isRoot, 'only root may lock as much memory as it needs');
  // Node alone has more.
  expect(await lockedKb({})).toBeGreaterThan(20_000);
});

it('where it may lock little memory, it keeps what fits', async () => {
  const without = isRoot ? ['setpriv', '--bounding-set=-ipc_lock'] : [];
  const kb = await lockedKb({ through: ['prlimit', '--memlock=4194304', ...without] });
  expect(kb).toBeGreaterThan(0);
  expect(kb).toBeLessThanOrEqual(4096);
});
