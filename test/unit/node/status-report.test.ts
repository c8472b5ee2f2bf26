import { expect, it } from 'vitest';
import { TakenOverStops } from '../../../src/core/index.js';
import { topics } from '../../../src/messages/index.js';
import { StatusReport } from '../../../src/node/middleware/status-report.js';

const guard = 7n;
const stop = {
  id: 3,
  number: 1n,
  kinds: [],
  newestCreateNs: 0n,
  newestValidNs: 0n,
  obeyedUntilNs: null,
  speedMps: 0,
};

/** The status of a run, and the numbers of the stops in what is written, and in what the pacer is to write. */
function status({ hasBeacon = true, readers = 1, phase = 'running' } = {}) {
  const written: string[] = [];
  const write = (by: string, bytes: Uint8Array) => {
    const { taken_over } = topics.middlewareStatus.codec.decode(bytes);
    written.push(`${by} ${taken_over.map(({ number }) => number).join()}`);
  };
  const takenOver = new TakenOverStops();
  const report = new StatusReport({
    nodeId: 'middleware',
    epoch: 1n,
    periodNs: 50_000_000n,
    session: { mode: 'real', session: { phase, sentCommands: () => [] } } as never,
    takenOver,
    beacon: {
      set(sample) {
        if (hasBeacon && sample !== undefined) write('beacon', sample.bytes);
        return hasBeacon;
      },
    },
    writer: { matchedReaders: readers, write: (bytes: Uint8Array) => write('now', bytes) } as never,
    realtimeNs: () => 0n,
    attempt: (attempted) => {
      attempted();
      return true;
    },
  });
  return { report, written, takeOver: () => takenOver.takeOver(guard, [stop]) };
}

it('tells a guard at once that its stop was taken over, and never the old status after that', () => {
  const { report, written, takeOver } = status();
  report.refresh(0n);
  takeOver();
  report.takenOver();
  expect(written).toEqual(['beacon ', 'beacon 1', 'now 1']);
});

it('writes it once where the pacer writes nothing', () => {
  const { report, written, takeOver } = status({ hasBeacon: false });
  takeOver();
  report.takenOver();
  expect(written).toEqual(['now 1']);
});

it('writes nothing while nobody reads it', () => {
  const { report, written, takeOver } = status({ readers: 0 });
  takeOver();
  report.takenOver();
  expect(written).toEqual([]);
});

it('begins no status again after its end', () => {
  const { report, written, takeOver } = status({ phase: 'ended' });
  takeOver();
  report.takenOver();
  expect(written).toEqual([]);
});
