import { beforeAll, expect } from 'vitest';
import { topics } from '../../src/messages/index.js';
import { builtPeers } from '../peers/build-peers.js';
import { directCommand, trajectoryCommand, type AnyCommand } from '../support/commands.js';
import { memoryPeak } from '../support/memory-peak.js';
import { RawWriter } from '../support/raw-writer.js';
import type { ControllerScript } from '../support/scripted-controller.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, inBothModes } from './fault-row.js';

let peers: ReturnType<typeof builtPeers>;

beforeAll(() => {
  peers = builtPeers();
});

const repeats = 20;
const mib = 1024 * 1024;

/** A good trajectory, in CDR; its points follow the count at this octet. */
function goodTrajectory(createNs: bigint): Uint8Array {
  return topics.vehicleCommandTrajectory.codec.encode(trajectoryCommand(1, createNs));
}
const countAt = 4 + 24;

/** Good CDR, with a number that is none: not malformed, and still not to be forwarded. */
function directOfNaN(createNs: bigint): AnyCommand {
  return directCommand(1, createNs, { motor_throttle: NaN });
}

/** Ways to break it; each makes octets that are no sample of the topic. */
const breakages: Record<string, (good: Uint8Array) => Uint8Array> = {
  'cut short': (good) => good.slice(0, good.length - 100),
  'header only': (good) => good.slice(0, 4),
  'count of 2^32-1': (good) => withUint32(good, countAt, 0xffff_ffff),
  'one point too many': (good) => withUint32(good, countAt, 101),
  'PL_CDR encapsulation': (good) => Uint8Array.of(0, 3, ...good.slice(2)),
  'delimited CDR2': (good) => Uint8Array.of(0, 9, ...good.slice(2)),
};

function withUint32(good: Uint8Array, at: number, value: number): Uint8Array {
  const bytes = good.slice();
  new DataView(bytes.buffer).setUint32(at, value, true);
  return bytes;
}

/** A run that has begun, a writer of raw trajectories, and the peak memory so far. */
async function runWithRawWriter(
  flags: readonly string[],
  script: Omit<ControllerScript, 'ids'> = {},
) {
  const lab = openTestLab();
  const vehicles = lab.vehicles();
  const controller = lab.controller({ ids: [1], ...script });
  controller.signIn();
  const middleware = lab.startMiddleware('--vehicle-ids=1', ...flags);
  const writer = await RawWriter.open(lab, peers, 'controllers', topics.vehicleCommandTrajectory);
  await controller.startSignals.untilCount(5);
  const before = memoryPeak(middleware.program.pid);
  return { lab, vehicles, controller, middleware, writer, before };
}

for (const { mode, flags } of inBothModes) {
  faultTest(
    {
      row: 16,
      fault: 'samples cut short, with wrong counts or encapsulation, or with NaN',
      mode,
      expected: 'each dropped and counted, the writer named, no memory taken, the run goes on',
    },
    async (measured) => {
      const run = await runWithRawWriter(flags, {
        onStart: (list, itself) => {
          itself.send(directOfNaN(list.t_now));
          itself.answer(list);
        },
      });
      const { lab, vehicles, controller, middleware, writer, before } = run;
      const kinds = Object.values(breakages);
      for (let i = 0; i < repeats; i++) {
        const good = goodTrajectory(lab.clocks.realtimeNs());
        for (const breakage of kinds) writer.write(breakage(good));
      }
      await writer.flushed();
      const { length } = controller.startSignals.items;
      // Some more than are expected to be refused: a late one is refused as late.
      await controller.startSignals.untilCount(length + 2 * repeats);
      const grown = memoryPeak(middleware.program.pid) - before;
      const [logged] = middleware.logged('malformed sample dropped');
      expect(logged).toMatchObject({ topic: 'vehicleCommandTrajectory' });
      expect(logged?.writer).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      middleware.signal('SIGINT');
      expect(await middleware.ended).toEqual({ code: 130, signal: null });

      const { samples_malformed, commands_refused } = middleware.summary();
      const broken = repeats * kinds.length;
      const notFinite = commands_refused.HLC_COMMAND_NOT_FINITE ?? 0;
      measured(
        `${samples_malformed.vehicleCommandTrajectory ?? 0} of ${broken} dropped and counted, ` +
          `${notFinite} with NaN refused, peak memory +${(grown / mib).toFixed(1)} MiB`,
      );
      expect(samples_malformed).toEqual({ vehicleCommandTrajectory: broken });
      expect(notFinite).toBeGreaterThanOrEqual(repeats);
      expect(vehicles.commands.items.some(({ kind }) => kind === 'trajectory')).toBe(false);
      const throttles = vehicles.commands.items.map(
        ({ bytes }) => topics.vehicleCommandDirect.codec.decode(bytes).motor_throttle,
      );
      expect(throttles.length).toBeGreaterThan(0);
      expect(throttles.filter((throttle) => !Number.isFinite(throttle))).toEqual([]);
      expect(grown).toBeLessThan(32 * mib);
    },
  );

  faultTest(
    {
      row: 17,
      fault: 'a trajectory of 10^6 points and one of 64 MiB',
      mode,
      expected: 'refused by their size before they are put together; memory bounded',
    },
    async (measured) => {
      const run = await runWithRawWriter(flags);
      const { lab, vehicles, controller, middleware, writer, before } = run;
      for (const points of [1_000_000, Math.ceil((64 * mib) / 40)]) {
        const head = goodTrajectory(lab.clocks.realtimeNs()).slice(0, countAt + 4);
        // The points begin at a multiple of eight octets after the header.
        writer.write(withUint32(head, countAt, points), points * 40);
      }
      await writer.flushed();
      await middleware.logs.until(() => middleware.logged('malformed sample dropped').length > 0);
      // What it writes afterwards arrives: the reader does not wait for what was refused.
      writer.write(goodTrajectory(lab.clocks.realtimeNs()).slice(0, 100));
      await writer.flushed();
      const { length } = controller.startSignals.items;
      await controller.startSignals.untilCount(length + 20);
      const grown = memoryPeak(middleware.program.pid) - before;
      middleware.signal('SIGINT');
      expect(await middleware.ended).toEqual({ code: 130, signal: null });
      const { samples_malformed } = middleware.summary();
      measured(
        `${(samples_malformed.vehicleCommandTrajectory ?? 0) - 1} of 2 refused and counted, ` +
          `peak memory +${(grown / mib).toFixed(1)} MiB`,
      );
      expect(samples_malformed).toEqual({ vehicleCommandTrajectory: 3 });
      expect(vehicles.commands.items.filter(({ kind }) => kind === 'trajectory')).toEqual([]);
      expect(grown).toBeLessThan(16 * mib);
    },
  );
}
