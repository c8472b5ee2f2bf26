import { beforeAll, describe, expect, it } from 'vitest';
import { buildPeers } from '../../peers/build-peers.js';
import { openTestLab } from '../../support/test-lab.js';

let peers: ReturnType<typeof buildPeers>;

beforeAll(() => {
  peers = buildPeers();
});

describe('a reader of start signals that hangs', () => {
  it('delays no start signal, and gets the newest when it goes on', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    const reader = lab.startProgram(peers['start-reader'], '1');
    // Lists of 50 kB, so that after few of them no buffer has room for what is not read.
    const everyId = Array.from({ length: 256 }, (_, id) => id).join(',');
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      `--active-vehicle-ids=${everyId}`,
      '--absent-vehicles=default',
      '--period-ms=30',
    );
    await middleware.untilLogged('waiting for controllers');
    controller.signIn();
    await reader.stdout.untilCount(3);
    reader.signal('SIGSTOP');
    const { length: atStop } = controller.startSignals.items;
    const { list: last } = await controller.startSignals.untilCount(atStop + 60);
    const { length: readBefore } = reader.stdout.items;
    reader.signal('SIGCONT');
    await reader.stdout.until((line) => BigInt(line) > last.t_now);
    console.log(
      reader.stdout.items.slice(readBefore - 2).map((l) => (BigInt(l) - last.t_now) / 30_000_000n),
    );
    middleware.signal('SIGINT');
    const t = Date.now();
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    console.log(Date.now() - t, middleware.summary(), middleware.logs.items.slice(3));
  });

  it('does not keep the middleware from ending', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    const reader = lab.startProgram(peers['start-reader'], '1');
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=30');
    await middleware.untilLogged('waiting for controllers');
    controller.signIn();
    await reader.stdout.untilCount(3);
    reader.signal('SIGSTOP');
    const { length: atStop } = controller.startSignals.items;
    await controller.startSignals.untilCount(atStop + 60);
    middleware.signal('SIGINT');
    const t = Date.now();
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    console.log(Date.now() - t, middleware.summary(), middleware.logs.items.slice(3));
  });
});
