import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pacer } from '../../../src/dds/index.js';
import { topics, type VehicleCommandDirect } from '../../../src/messages/index.js';
import type { QosPolicies, TransportWriter } from '../../../src/ports/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { PeerProcess } from '../../support/peer-process.js';
import { hang } from '../../support/pacer-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const domain = 3;
const ms = 1_000_000n;
const qos: QosPolicies = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };
const direct = topics.vehicleCommandDirect;
const speed = topics.vehicleCommandSpeedCurvature;
/** Longer than a busy machine takes from one program to the other. */
const hangMs = 1000;

let dds: DdsFixture;
let vehicles: PeerProcess;
let directWriter: TransportWriter;
let speedWriter: TransportWriter;
let pacer: Pacer;
/** Has its listener called while events are handled. */
let handle: (work: () => void) => void;

beforeEach(async () => {
  dds = openDds();
  const participant = dds.join(domain);
  directWriter = participant.createWriter(direct, qos);
  speedWriter = participant.createWriter(speed, qos);
  pacer = dds.context.createPacer();
  let work: () => void;
  pacer.onTick(() => work());
  handle = (given) => {
    work = given;
    pacer.arm(0n);
  };
  vehicles = new PeerProcess('vehicles', dds.uri, { domain });
  await waitUntil(() => directWriter.matchedReaders === 1 && speedWriter.matchedReaders === 1);
  // A reader that knows its writer later asks for the first sample again: that comes out of order.
  directWriter.write(encoded(0));
  speedWriter.write(encodedSpeed(0));
  await vehicles.events.until(() => vehicles.named('command').length === 2);
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

function encoded(vehicle_id: number, command: Partial<VehicleCommandDirect> = {}): Uint8Array {
  return direct.codec.encode({ ...direct.codec.zero(), vehicle_id, ...command });
}

function encodedSpeed(vehicle_id: number): Uint8Array {
  return speed.codec.encode({ ...speed.codec.zero(), vehicle_id });
}

function writeTogether(...ids: readonly number[]): void {
  for (const id of ids) directWriter.write(encoded(id), 'with-all');
}

/** The ids of the first vehicles that receive a command, in order, and which of them did before this thread went on. */
async function receivedIn(
  work: () => void,
  count: number,
  start: (work: () => void) => void = handle,
): Promise<{ ids: unknown[]; meanwhile: unknown[] }> {
  const hungUntilNs = await new Promise<bigint>((resolve) => {
    start(() => {
      work();
      hang(hangMs);
      resolve(dds.context.clocks.monotonicNs());
    });
  });
  const received = () => vehicles.named('command').filter(({ id }) => id !== 0);
  await vehicles.events.until(() => received().length >= count);
  const commands = received();
  const early = commands.filter(({ at }) => BigInt(String(at)) < hungUntilNs);
  return { ids: commands.map(({ id }) => id), meanwhile: early.map(({ id }) => id) };
}

describe('samples that may wait for all others', () => {
  it('leave when the last event is handled', async () => {
    const { ids, meanwhile } = await receivedIn(() => writeTogether(1, 2, 3), 3);
    expect(ids).toEqual([1, 2, 3]);
    // The library sends a first sample at once, to learn who has it.
    expect(meanwhile).not.toContain(2);
    expect(meanwhile).not.toContain(3);
  });

  it('leave at once when no event is handled', async () => {
    const { meanwhile } = await receivedIn(() => writeTogether(1, 2), 2, setImmediate);
    expect(meanwhile).toEqual([1, 2]);
  });

  it('leave before a sample of another writer that is written after them', async () => {
    const { ids, meanwhile } = await receivedIn(() => {
      writeTogether(1, 2);
      speedWriter.write(encodedSpeed(3));
    }, 3);
    expect(ids).toEqual([1, 2, 3]);
    expect(meanwhile).toEqual([1, 2, 3]);
  });

  it('leave before a sample that the pacer is to write', async () => {
    const { ids, meanwhile } = await receivedIn(() => {
      writeTogether(1, 2);
      const slot = { index: 1, notBeforeNs: 0n, notAfterNs: 2n ** 62n, value: 7n };
      const repeats = { count: 0, everyNs: ms, delayNs: 0n };
      const bytes = encodedSpeed(3);
      const patchOffset = bytes.length - 8;
      const plan = { plan: 1, writer: speedWriter, bytes, patchOffset, slot, repeats };
      pacer.timedWriter.schedule(plan);
    }, 3);
    expect(ids).toEqual([1, 2, 3]);
    expect(meanwhile).toEqual([1, 2, 3]);
  });

  it('leave with the stop that the pacer writes in a hang', async () => {
    pacer.emergencyStop.set(1, {
      writer: directWriter,
      bytes: encoded(9),
      patches: [],
      floorNs: 0n,
    });
    const { ids, meanwhile } = await receivedIn(() => {
      pacer.emergencyStop.armHangGuard({ afterNs: 100n * ms, repeatNs: 0n, durationNs: 0n });
      writeTogether(1, 2);
    }, 3);
    expect(ids).toEqual([1, 2, 9]);
    expect(meanwhile).toEqual([1, 2, 9]);
  });

  it('leave before another one of the same instance takes their place', async () => {
    const lastOnly = dds.join(domain).createWriter(direct, {
      reliability: { kind: 'reliable' },
      history: { kind: 'keep-last', depth: 1 },
    });
    await waitUntil(() => lastOnly.matchedReaders === 1);
    lastOnly.write(encoded(0));
    await vehicles.events.until(() => vehicles.named('command').length === 3);
    const { ids } = await receivedIn(() => {
      for (const id of [1, 2, 1, 2, 1]) lastOnly.write(encoded(id), 'with-all');
    }, 5);
    expect(ids).toEqual([1, 2, 1, 2, 1]);
  });

  it('do not wait for more than fifteen others', async () => {
    const all = Array.from({ length: 20 }, (_, i) => i + 1);
    const { ids, meanwhile } = await receivedIn(() => writeTogether(...all), 20);
    expect(ids).toEqual(all);
    expect(meanwhile).toEqual(all.slice(0, 16));
  });
});

describe('samples that may wait for what follows from other events', () => {
  const write = (...ids: readonly number[]): void => {
    for (const id of ids) directWriter.write(encoded(id), 'with-others');
  };

  it('leave at once in the last event', async () => {
    const { meanwhile } = await receivedIn(() => write(1, 2), 2);
    expect(meanwhile).toEqual([1, 2]);
  });

  it('wait for the events that were received meanwhile', async () => {
    const others = [dds.context.createPacer(), dds.context.createPacer()];
    const { ids, meanwhile } = await receivedIn(
      () => write(1, 2),
      3,
      (work) => {
        const works = [work, () => write(3)];
        for (const other of others) other.onTick(() => works.shift()?.());
        handle(() => {
          for (const other of others) other.arm(0n);
          // Both are received before the next batch of events.
          hang(100);
        });
      },
    );
    expect(ids).toEqual([1, 2, 3]);
    expect(meanwhile).not.toContain(2);
  });
});
