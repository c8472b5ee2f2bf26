import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestLab } from '../../support/test-lab.js';
import { builtPeers } from '../../peers/build-peers.js';

let peers: ReturnType<typeof builtPeers>;

beforeAll(() => {
  peers = builtPeers();
});

const burst = 200;

describe('samples that are no samples of their topic', () => {
  it.each([
    { topic: 'vehicleState', domain: '0' },
    { topic: 'vehicleCommandDirect', domain: '1' },
  ])(
    'on $topic are dropped and counted, their writer is named once a second, and the run goes on',
    async ({ topic, domain }) => {
      const lab = openTestLab();
      const vehicles = lab.vehicles();
      const controller = lab.controller({ ids: [1] });
      controller.signIn();
      const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
      await controller.startSignals.untilCount(1);
      const writer = lab.startProgram(peers['garbage-writer'], topic, domain);
      await writer.stdout.until((line) => line === 'matched');

      const reported = () => middleware.logged('malformed sample dropped');
      const countedLines = () =>
        reported().reduce((sum, { suppressed }) => sum + 1 + Number(suppressed ?? 0), 0);
      let single = 0;
      /** Writes one sample after the other until the log counts so many. */
      const writeUntilCounted = (samples: number) =>
        vi.waitUntil(
          () => {
            if (countedLines() >= samples) return true;
            writer.send('1');
            single++;
            return false;
          },
          { interval: 50, timeout: 15_000 },
        );
      // The middleware may come to know the writer a moment after the writer knows it.
      await writeUntilCounted(1);
      writer.send(String(burst));
      await writeUntilCounted(1 + burst);

      const lines = reported();
      const [first] = lines;
      expect(first).toMatchObject({ level: 40, topic });
      expect(first?.writer).toMatch(/^[0-9a-f]{32}$/);
      expect(first?.cause).not.toBe('');
      expect(new Set(lines.map((line) => line.writer))).toEqual(new Set([first?.writer]));
      const times = lines.map(({ time }) => Date.parse(time));
      expect(times.slice(1).filter((time, i) => time - (times[i] ?? 0) < 999)).toEqual([]);

      const { list } = await controller.startSignals.untilCount(
        controller.startSignals.items.length + 3,
      );
      expect(list.state_list).toEqual([]);
      middleware.signal('SIGINT');
      await middleware.ended;
      const summary = middleware.summary();
      const { [topic]: counted = 0, ...others } = summary.samples_malformed;
      expect(others).toEqual({});
      expect(counted).toBeGreaterThan(burst);
      expect(counted).toBeLessThanOrEqual(burst + single);
      const { vehicleCommandDirect: forwarded = 0 } = summary.commands_forwarded;
      expect(forwarded).toBeGreaterThan(0);
      expect(forwarded).toBeLessThanOrEqual(controller.sent.length);
      expect(vehicles.commands.items.filter(({ vehicleId }) => vehicleId !== 1)).toEqual([]);
    },
  );
});
