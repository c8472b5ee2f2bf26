import path from 'node:path';
import { expect, it } from 'vitest';
import { builtPeers } from '../../peers/build-peers.js';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram, Middleware } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { openTestLab } from '../../support/test-lab.js';

/** A service manager that grants half a second, and what it sets for the programs that it starts. */
async function startManager() {
  const socket = path.join(temporaryFolder(), 'notify');
  const manager = new ChildProgram(
    'service-manager',
    builtPeers()['service-manager'],
    [socket],
    '',
  );
  await manager.stdout.until((line) => line === 'listening');
  const until = (message: string) => manager.stdout.until((line) => line === message);
  return {
    variables: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '500000' },
    until,
    /** Settles when so many further messages of the watchdog came. */
    async untilFed(times: number) {
      let skip = manager.stdout.items.length;
      let left = times;
      await manager.stdout.until((line) => skip-- <= 0 && line === 'WATCHDOG=1' && --left === 0);
    },
  };
}

it('a middleware says to its service manager that it is ready, alive, and stops', async () => {
  const lab = openTestLab();
  const manager = await startManager();
  const flags = ['--vehicle-ids=1', '--period-ms=50'];
  const middleware = new Middleware(lab.uri, flags, { variables: manager.variables });
  await manager.until('READY=1');
  await manager.untilFed(3);
  lab.controller({ ids: [1] }).signIn();
  await middleware.untilLogged('all controllers are ready');
  await manager.untilFed(3);
  middleware.signal('SIGTERM');
  await manager.until('STOPPING=1');
  expect(await middleware.ended).toEqual({ code: 143, signal: null });
});

it('a guard says the same without a middleware, and ends by a signal', async () => {
  const lab = openTestLab();
  const manager = await startManager();
  const args = [cliProgram, 'guard', '--control-socket=off'];
  const { variables } = manager;
  const guard = new ChildProgram('guard', process.execPath, args, loopbackUri(lab.uri), {
    variables,
  });
  await manager.until('READY=1');
  await manager.untilFed(3);
  guard.signal('SIGTERM');
  expect(await guard.ended).toEqual({ code: 143, signal: null });
});
