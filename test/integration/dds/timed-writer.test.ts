import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HlcError } from '../../../src/errors/index.js';
import type { QosPolicies, TransportWriter } from '../../../src/ports/index.js';
import type { Pacer, SentSlot, TimedPlan, TimedSlot } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { hang, tick as tickOf } from '../../support/pacer-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const topic = topics.vehicleStateList;
const qos: QosPolicies = {
  reliability: { kind: 'reliable' },
  history: { kind: 'keep-all' },
};
const ms = 1_000_000n;
/** The time is the first field, after the encapsulation header. */
const patchOffset = 4;

let dds: DdsFixture;
let pacer: Pacer;
let writer: TransportWriter;
/** What happened, in its order. */
let events: string[];
let received: bigint[];
let sent: SentSlot[];
let failures: HlcError[];

beforeEach(async () => {
  dds = openDds();
  [events, received, sent, failures] = [[], [], [], []];
  const reader = dds.join().createReader(topic, qos, {
    onSample: ({ bytes }) => {
      const { t_now } = topic.codec.decode(bytes);
      received.push(t_now);
      events.push(`received ${t_now}`);
    },
  });
  writer = dds.join().createWriter(topic, qos, { onWriteFailed: (error) => failures.push(error) });
  pacer = dds.context.createPacer();
  pacer.timedWriter.onSent((slot) => {
    sent.push(slot);
    events.push(`sent ${slot.value}`);
  });
  await waitUntil(() => reader.matchedWriters === 1 && writer.matchedReaders === 1);
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

/** A plan with so many further slots, each later by this, ms. */
function plan(slot: TimedSlot, count = 0, everyMs = 1): TimedPlan {
  const bytes = topic.codec.encode({ ...topic.codec.zero(), t_now: 1n, period_ms: 100n });
  const repeats = { count, everyNs: BigInt(everyMs) * ms, delayNs: 0n };
  return { plan: 1, writer, bytes, patchOffset, slot, repeats };
}

/** A slot that begins in this time, ms, and lasts long, since a busy machine may be late. */
function slot(index: number, inMs: number, lastsMs = 5000): TimedSlot {
  const notBeforeNs = dds.context.clocks.monotonicNs() + BigInt(inMs) * ms;
  const notAfterNs = notBeforeNs + BigInt(lastsMs) * ms;
  return { index, notBeforeNs, notAfterNs, value: BigInt(index) * 1000n };
}

/** Settles with the next tick, 20 ms from now: the pacer has done all that was due before. */
function tick(): Promise<void> {
  return tickOf(pacer, dds.context.clocks, 20);
}

/** A busy machine may keep this thread from its next call until a slot has begun: those are left out. */
function sentAfter(instantNs: bigint): number[] {
  return sent.flatMap(({ index, monotonicNs }) => (monotonicNs > instantNs ? [index] : []));
}

describe('the timed writer', () => {
  it('writes each slot when it begins, with its value, and reports it before any answer', async () => {
    const first = slot(1, 10);
    const { everyNs } = plan(first, 2, 10).repeats;
    const repeats = { count: 2, everyNs, delayNs: 5n * ms };
    expect(pacer.timedWriter.schedule({ ...plan(first), repeats })).toBe(true);
    await waitUntil(() => received.length === 3);
    const values = [1000n, 1000n + everyNs, 1000n + 2n * everyNs];
    expect(events).toEqual(values.flatMap((t) => [`sent ${t}`, `received ${t}`]));
    const delays = [0n, everyNs + 5n * ms, 2n * everyNs + 5n * ms];
    for (const [i, { index, monotonicNs, realtimeNs }] of sent.entries()) {
      expect(index).toBe(i + 1);
      expect(monotonicNs).toBeGreaterThanOrEqual(first.notBeforeNs + (delays[i] ?? 0n));
      expect(realtimeNs).toBeGreaterThan(1_700_000_000_000_000_000n);
    }
  });

  it('writes a slot that began in the past at once, and skips one that is over', async () => {
    pacer.timedWriter.schedule(plan(slot(1, -1000, 990), 2, 510));
    await waitUntil(() => received.length === 2);
    expect(sent.map(({ index }) => index)).toEqual([2, 3]);
  });

  it('leaves out slots that an earlier plan has written, also after a cancellation', async () => {
    pacer.timedWriter.schedule(plan(slot(4, 0)));
    await waitUntil(() => received.length === 1);
    pacer.timedWriter.cancel();
    pacer.timedWriter.schedule(plan(slot(3, 0), 2));
    await waitUntil(() => received.length === 2);
    expect(sent.map(({ index }) => index)).toEqual([4, 5]);
  });

  it('leaves out the time of the last slot, under whichever index a plan has it', async () => {
    const first = { ...slot(4, 0), value: 1000n * ms };
    pacer.timedWriter.schedule(plan(first));
    await waitUntil(() => received.length === 1);
    // A plan that does not know of that one: its first slot is one slot earlier, and has a higher index.
    const before = {
      index: 5,
      notBeforeNs: first.notBeforeNs - ms,
      notAfterNs: first.notAfterNs - ms,
      value: first.value - ms,
    };
    pacer.timedWriter.schedule(plan(before, 2));
    await waitUntil(() => received.length === 2);
    await tick();
    expect(received).toEqual([first.value, first.value + ms]);
    expect(sent.map(({ index }) => index)).toEqual([4, 7]);
  });

  it('writes a value again half a slot later, since the wall clock may have stepped back', async () => {
    const first = slot(4, 0);
    pacer.timedWriter.schedule(plan(first));
    await waitUntil(() => received.length === 1);
    const again = { ...first, index: 5, notAfterNs: first.notAfterNs + ms / 2n };
    pacer.timedWriter.schedule(plan(again));
    await waitUntil(() => received.length === 2);
    expect(received).toEqual([first.value, first.value]);
  });

  it('puts a value of 64 bits where the plan says', async () => {
    const value = 0xfedc_ba98_7654_3210n;
    pacer.timedWriter.schedule(plan({ ...slot(1, 0), value }));
    await waitUntil(() => received.length === 1);
    expect(received).toEqual([value]);
    expect(sent[0]?.value).toBe(value);
    const inside = plan(slot(2, 0));
    const outside = { ...inside, patchOffset: inside.bytes.length - 7 };
    expect(() => pacer.timedWriter.schedule(outside)).toThrow(RangeError);
  });

  it('replaces a plan by the next one', async () => {
    pacer.timedWriter.schedule(plan(slot(1, 10), 1, 5));
    pacer.timedWriter.schedule(plan(slot(3, 5)));
    const replacedNs = dds.context.clocks.monotonicNs();
    await waitUntil(() => received.includes(3000n));
    await tick();
    expect(sentAfter(replacedNs)).toEqual([3]);
  });

  it('writes nothing after a cancellation', async () => {
    pacer.timedWriter.schedule(plan(slot(1, 10)));
    pacer.timedWriter.cancel();
    const cancelledNs = dds.context.clocks.monotonicNs();
    await tick();
    expect(sentAfter(cancelledNs)).toEqual([]);
  });

  it('writes while this thread is busy', async () => {
    const first = slot(1, 10);
    pacer.timedWriter.schedule(plan(first, 1, 30));
    hang(500);
    const endNs = dds.context.clocks.monotonicNs();
    await waitUntil(() => received.length === 2);
    for (const [i, { monotonicNs }] of sent.entries()) {
      expect(monotonicNs).toBeGreaterThanOrEqual(first.notBeforeNs + BigInt(i) * 30n * ms);
      expect(monotonicNs).toBeLessThan(endNs);
    }
  });

  it('drops the plan, with an error at the writer, when the bytes do not begin as plain CDR', async () => {
    const whole = plan(slot(1, 0), 1, 5);
    pacer.timedWriter.schedule({ ...whole, bytes: whole.bytes.with(1, 7) });
    await waitUntil(() => failures.length === 1);
    await tick();
    expect(failures).toMatchObject([{ code: 'HLC_DDS_WRITE' }]);
    expect(failures[0]?.message).toContain('"vehicleStateList"');
    expect(sent).toHaveLength(1);
    pacer.timedWriter.schedule(plan(slot(3, 0)));
    await waitUntil(() => received.length === 1);
    expect(received).toEqual([3000n]);
  });

  it('drops the plan when the writer is closed, and takes none for a closed writer', async () => {
    pacer.timedWriter.schedule(plan(slot(1, 500), 1));
    writer.close();
    await waitUntil(() => sent.length === 1);
    await tick();
    expect(sent).toHaveLength(1);
    expect(received).toEqual([]);
    const late = () => pacer.timedWriter.schedule(plan(slot(3, 0)));
    expect(late).toThrow(expect.objectContaining({ code: 'HLC_CLOSED' }));
  });

  it('takes the writer that carries the samples of another one', async () => {
    const outer = { topic, carrier: writer } as unknown as TransportWriter;
    expect(pacer.timedWriter.schedule({ ...plan(slot(1, 0)), writer: outer })).toBe(true);
    await waitUntil(() => received.length === 1);
  });

  it('refuses a writer of another transport', () => {
    const foreign = { topic } as unknown as TransportWriter;
    expect(pacer.timedWriter.schedule({ ...plan(slot(1, 0)), writer: foreign })).toBe(false);
  });
});

describe('two pacers of a process', () => {
  it('keep their ticks, plans and ends apart', async () => {
    const other = dds.context.createPacer();
    const ticks: string[] = [];
    const others: SentSlot[] = [];
    other.timedWriter.onSent((slot) => others.push(slot));
    pacer.onTick(() => ticks.push('first'));
    other.onTick(() => ticks.push('second'));
    const nowNs = dds.context.clocks.monotonicNs();
    other.arm(nowNs + 5n * ms);
    await waitUntil(() => ticks.length === 1);
    pacer.arm(nowNs + 50n * ms);
    // The same index: each counts its own.
    pacer.timedWriter.schedule(plan(slot(7, 0)));
    other.timedWriter.schedule(plan({ ...slot(7, 0), value: 42n }));
    await waitUntil(() => ticks.length === 2 && received.length === 2);
    expect(ticks).toEqual(['second', 'first']);
    expect(sent.map(({ value }) => value)).toEqual([7000n]);
    expect(others.map(({ value }) => value)).toEqual([42n]);

    other.close();
    other.close();
    expect(() => other.arm(0n)).toThrow(expect.objectContaining({ code: 'HLC_CLOSED' }));
    expect(() => other.timedWriter.cancel()).toThrow(/pacer/);
    await tick();
  });
});
