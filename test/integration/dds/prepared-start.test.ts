import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HlcError } from '../../../src/core/errors/index.js';
import type { QosPolicies, TransportWriter } from '../../../src/core/ports/index.js';
import type { PreparedStart, SentStart } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';

const topic = topics.vehicleStateList;
const qos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 1_000_000_000n },
  history: { kind: 'keep-all' },
};
// Long, since a busy machine may be late by half of it, and then nothing is sent.
const periodNs = 100_000_000n;
const graceNs = 2_000_000n;

let dds: DdsFixture;
let writer: TransportWriter;
let heard: bigint[];
let sent: SentStart[];
let failures: HlcError[];

beforeEach(async () => {
  dds = openDds();
  heard = [];
  sent = [];
  failures = [];
  const reader = dds.join().createReader(topic, qos, {
    onSample: ({ bytes }) => heard.push(topic.codec.decode(bytes).t_now),
  });
  writer = dds.join().createWriter(topic, qos, { onWriteFailed: (error) => failures.push(error) });
  dds.context.pacer.onStartSent((event) => sent.push(event));
  await vi.waitUntil(() => reader.matchedWriters === 1 && writer.matchedReaders === 1);
});

afterEach(() => dds.context.close());

/** A period that is due in 10 ms. */
function start(values: Partial<PreparedStart> = {}): PreparedStart {
  return {
    sample: topic.codec.encode({ ...topic.codec.zero(), t_now: 1000n, period_ms: 100n }),
    tNowNs: 1000n,
    dueAtNs: dds.context.clocks.monotonicNs() + 10_000_000n,
    periodNs,
    graceNs,
    left: 1,
    ...values,
  };
}

/** Long enough for everything that is prepared here to be sent. */
const untilAllIsOver = () => wait(Number(4n * periodNs) / 1e6);

describe('the pacer', () => {
  it('sends what was prepared when it is due, and not before', async () => {
    const prepared = start();
    expect(dds.context.pacer.prepareStart(writer, prepared)).toBe(true);
    await vi.waitUntil(() => heard.length === 1 && sent.length === 1);
    expect(heard).toEqual([1000n]);
    expect(sent[0]).toMatchObject({ tNowNs: 1000n, repeated: false });
    expect(sent[0]?.monotonicNs).toBeGreaterThanOrEqual(prepared.dueAtNs);
  });

  it('repeats it with the times of the next periods after the grace, as often as it may', async () => {
    const prepared = start({ left: 3 });
    dds.context.pacer.prepareStart(writer, prepared);
    await vi.waitUntil(() => heard.length >= 3);
    await untilAllIsOver();
    expect(heard).toEqual([1000n, 1000n + periodNs, 1000n + 2n * periodNs]);
    expect(sent.map(({ tNowNs }) => tNowNs)).toEqual(heard);
    expect(sent.map(({ repeated }) => repeated)).toEqual([false, true, true]);
    expect(sent[1]?.monotonicNs).toBeGreaterThanOrEqual(prepared.dueAtNs + periodNs + graceNs);
  });

  it('leaves a claimed period out, and repeats the content for the next one', async () => {
    const prepared = start({ left: 5 });
    dds.context.pacer.prepareStart(writer, prepared);
    expect(dds.context.pacer.claim(prepared.dueAtNs, 1)).toBe(true);
    await untilAllIsOver();
    expect(sent).toMatchObject([{ tNowNs: 1000n + periodNs, repeated: true }]);
    expect(heard).toEqual([1000n + periodNs]);
  });

  it('tells who claims too late that it has sent', async () => {
    const prepared = start();
    dds.context.pacer.prepareStart(writer, prepared);
    await vi.waitUntil(() => sent.length === 1);
    expect(dds.context.pacer.claim(prepared.dueAtNs, 1)).toBe(false);
    expect(dds.context.pacer.claim(prepared.dueAtNs + periodNs, 1)).toBe(true);
  });

  it('does not take what is prepared for a period that it has served', async () => {
    const prepared = start();
    dds.context.pacer.prepareStart(writer, prepared);
    await vi.waitUntil(() => sent.length === 1);
    dds.context.pacer.prepareStart(writer, prepared);
    await untilAllIsOver();
    expect(heard).toEqual([1000n]);
  });

  it('sends nothing when half of the period is over', async () => {
    const late = dds.context.clocks.monotonicNs() - periodNs / 2n - 1_000_000n;
    dds.context.pacer.prepareStart(writer, start({ dueAtNs: late, left: 3 }));
    await untilAllIsOver();
    expect(heard).toEqual([]);
  });

  it('sends nothing after it was told not to', async () => {
    dds.context.pacer.prepareStart(writer, start({ left: 3 }));
    dds.context.pacer.cancelStart();
    await untilAllIsOver();
    expect(heard).toEqual([]);
  });

  it('gives up, and tells the writer, when the bytes are no sample of its type', async () => {
    const { sample } = start();
    dds.context.pacer.prepareStart(writer, start({ sample: sample.slice(0, 20), left: 3 }));
    await vi.waitUntil(() => failures.length === 1);
    await untilAllIsOver();
    expect(failures).toMatchObject([{ code: 'HLC_DDS_WRITE' }]);
    expect(failures[0]?.message).toContain('"vehicleStateList"');
    expect(sent).toHaveLength(1);
    expect(heard).toEqual([]);
  });

  it('gives up when the writer is closed', async () => {
    dds.context.pacer.prepareStart(writer, start({ left: 3 }));
    writer.close();
    await untilAllIsOver();
    expect(sent).toHaveLength(1);
    expect(dds.faults).toEqual([]);
  });

  it('cannot send with a writer that is not of DDS', () => {
    const foreign = { topic, matchedReaders: 0 } as unknown as TransportWriter;
    expect(dds.context.pacer.prepareStart(foreign, start())).toBe(false);
  });
});
