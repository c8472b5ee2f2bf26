import { beforeAll, describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { builtPeers } from '../../peers/build-peers.js';
import { openTestLab } from '../../support/test-lab.js';
import { TopicSource } from '../../support/topic-source.js';

let peers: ReturnType<typeof builtPeers>;

beforeAll(() => {
  peers = builtPeers();
});

/** A middleware at work, and a process that reads all of its start signals and has hung for so many. */
async function hangingReader(startSignals: number, ...flags: string[]) {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  const reader = lab.startProgram(peers['start-reader'], '1');
  const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=40', ...flags);
  await middleware.untilLogged('waiting for controllers');
  controller.signIn();
  await reader.stdout.untilCount(3);
  reader.signal('SIGSTOP');
  const { length } = controller.startSignals.items;
  const { list: last } = await controller.startSignals.untilCount(length + startSignals);
  return { controller, reader, middleware, lab, last };
}

describe('a reader of start signals that hangs', () => {
  it('holds up no start signal, and has the newest when it goes on', async () => {
    // Lists of 50 kB: after a few of them no buffer has room for what is not read.
    const everyId = Array.from({ length: 256 }, (_, id) => id).join(',');
    const { controller, reader, middleware, last } = await hangingReader(
      50,
      `--active-vehicle-ids=${everyId}`,
      '--absent-vehicles=default',
    );
    expect(last.state_list).toHaveLength(256);
    reader.signal('SIGCONT');
    await reader.stdout.until((line) => BigInt(line) > last.t_now);
    expect(reader.stdout.items.length).toBeLessThan(controller.startSignals.items.length - 10);
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });

    // A write that waited for the reader would have failed in the end.
    expect(middleware.summary().writes_failed).toEqual({});
  });

  it('does not make the middleware wait with what it relays', async () => {
    const { controller, reader, middleware, lab } = await hangingReader(10);
    const triggers = new TopicSource(lab.join('lab'), topics.systemTrigger);
    await triggers.untilReadBy(1);
    const before = controller.triggers.items.length;
    const { length } = controller.startSignals.items;
    // More than the middleware keeps for a slow reader; each that waited for it would take 100 ms.
    for (let i = 1n; i <= 3000n; i++) triggers.write({ next_start: { nanoseconds: i } });
    await controller.startSignals.untilCount(length + 50);
    reader.signal('SIGCONT');
    await controller.triggers.untilCount(before + 3000);
    const stamps = controller.triggers.items.slice(before);
    expect(stamps).toEqual(Array.from({ length: 3000 }, (_, i) => BigInt(i + 1)));
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    const summary = middleware.summary();
    expect(summary.skipped_periods).toBeLessThan(10);
    expect(summary.writes_failed).toEqual({});
    expect(middleware.program.stderr.items.join('\n')).not.toContain('is being stopped');
  });

  it('keeps the middleware neither from ending nor from writing its summary', async () => {
    const { controller, middleware } = await hangingReader(10);
    middleware.signal('SIGINT');
    await controller.triggers.untilCount(1);
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    // The controller keeps the newest start signal only, so a busy one may have seen fewer.
    const seen = controller.startSignals.items.length;
    expect(middleware.summary().start_signals).toBeGreaterThanOrEqual(seen);
  });
});
