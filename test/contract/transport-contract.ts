import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unknownWriter, type TransportWriter } from '../../src/ports/index.js';
import { topics, type VehicleState } from '../../src/messages/index.js';
import { Recorder } from '../support/recorder.js';
import { waitUntil } from '../support/wait-until.js';
import { messageCases } from '../unit/messages/message-arbitraries.js';
import {
  bestEffort,
  reliable,
  retained,
  type ContractSubject,
  type ContractTraits,
} from './contract-subject.js';
import { Listening } from './listening.js';

const topic = topics.vehicleState;
const prefixDigits = 24;

function state(vehicleId: number, odometer = 0): Uint8Array {
  const value = { ...topic.codec.zero(), vehicle_id: vehicleId, odometer_distance: odometer };
  return topic.codec.encode(value);
}

/**
 * A sample in hex, without the padding to a multiple of four octets that a transport may add, and
 * that it then states in the header (OMG DDS-XTypes 1.3, section 7.6.3.1.2).
 */
function withoutPadding(bytes: Uint8Array): string {
  const padding = (bytes[3] ?? 0) & 3;
  const sample = Uint8Array.from(bytes.subarray(0, bytes.length - padding));
  sample[3] = 0;
  return Buffer.from(sample).toString('hex');
}

const odometers = (values: VehicleState[]) => values.map((value) => value.odometer_distance);
const matched = (writer: TransportWriter, readers: number, ...listening: Listening<unknown>[]) =>
  waitUntil(
    () =>
      writer.matchedReaders === readers &&
      listening.every(({ reader }) => reader.matchedWriters > 0),
  );

/** As `it` where it applies to a transport; elsewhere there is no such test. */
function itWhere(applies: boolean): (name: string, test: () => Promise<void>) => void {
  return (name, test) => {
    if (applies) it(name, test);
  };
}

/**
 * What the rest of the program relies on in a transport, whatever carries the messages. To be called
 * at the top of a test file, once for each adapter.
 */
export function describeTransport(
  name: string,
  open: () => ContractSubject | Promise<ContractSubject>,
  { identifiesWriters, writtenVehicles }: ContractTraits,
): void {
  describe(`a transport over ${name}`, () => {
    let subject: ContractSubject;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(async () => {
      await subject.close();
      expect(subject.faults).toEqual([]);
    });

    it('hands out endpoints that name their topic as the caller does', () => {
      const side = subject.join();
      const writer = side.createWriter(topic, reliable);
      const reader = side.createReader(topic, reliable, { onSample: () => undefined });
      expect([writer.topic, reader.topic].map((t) => [t.name, t.typeName])).toEqual([
        ['vehicleState', 'VehicleState'],
        ['vehicleState', 'VehicleState'],
      ]);
      expect([writer.matchedReaders, reader.matchedWriters].every((n) => n <= 1)).toBe(true);
    });

    it.each(messageCases)('moves the bytes of $topic.name as they are', async (example) => {
      const from = subject.join();
      const to = new Listening(subject.join(), example.topic, reliable);
      const writer = from.createWriter(example.topic, reliable);
      await matched(writer, 1, to);
      const sent = fc.sample(example.values, 20).map((value) => example.topic.codec.encode(value));
      for (const bytes of sent) writer.write(bytes);
      await to.samples.untilCount(sent.length);
      const received = to.samples.items.map(({ bytes }) => withoutPadding(bytes));
      expect(received).toEqual(sent.map(withoutPadding));
    });

    it('reports when a sample was written and when it came', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const writer = subject.join().createWriter(topic, reliable);
      await matched(writer, 1, to);
      const before = { realtime: BigInt(Date.now()) * 1_000_000n, steady: process.hrtime.bigint() };
      writer.write(state(7));
      const sample = await to.samples.untilCount(1);
      expect(sample.receivedAtNs).toBeGreaterThanOrEqual(before.steady);
      expect(sample.receivedAtNs).toBeLessThanOrEqual(process.hrtime.bigint());
      if (!identifiesWriters) {
        expect(sample.sourceTimestampNs).toBe(0n);
        return;
      }
      // The clock in milliseconds is up to one behind.
      expect(sample.sourceTimestampNs).toBeGreaterThanOrEqual(before.realtime);
      expect(sample.sourceTimestampNs).toBeLessThan(before.realtime + 60_000_000_000n);
    });

    it('never calls a listener from within a call to it', async () => {
      const side = subject.join();
      const calls = new Recorder<boolean>('calls');
      let within = false;
      side.createReader(topic, reliable, {
        onSample: () => calls.add(within),
        onMatched: () => calls.add(within),
      });
      within = true;
      const writer = side.createWriter(topic, reliable, { onMatched: () => calls.add(within) });
      within = false;
      await matched(writer, 1);
      within = true;
      writer.write(state(1));
      within = false;
      await calls.untilCount(3);
      expect(new Set(calls.items)).toEqual(new Set([false]));
    });

    it('keeps order and loses nothing of a burst that is reliable', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const writer = subject.join().createWriter(topic, reliable);
      await matched(writer, 1, to);
      const numbers = Array.from({ length: 1000 }, (_, i) => i);
      for (const number of numbers) writer.write(state(1, number));
      await to.samples.untilCount(numbers.length);
      expect(odometers(to.values)).toEqual(numbers);
    });

    it('moves samples that are larger than any datagram', async () => {
      const to = new Listening(subject.join(), topics.log, reliable);
      const writer = subject.join().createWriter(topics.log, reliable);
      await matched(writer, 1, to);
      const content = 'x'.repeat(1_000_000);
      writer.write(topics.log.codec.encode({ ...topics.log.codec.zero(), content }));
      await to.samples.untilCount(1);
      expect(to.values[0]?.content).toBe(content);
    });

    it('counts who is matched, also when a side is closed', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const counts = new Recorder<number>('counts of readers');
      const from = subject.join();
      const writer = from.createWriter(topic, reliable, { onMatched: (n) => counts.add(n) });
      const other = subject.join();
      const second = new Listening(other, topic, reliable);
      await matched(writer, 2, to, second);
      expect(writer.matchedParticipants().size).toBe(2);
      for (const prefix of writer.matchedParticipants()) expect(prefix).toMatch(/^[0-9a-f]{24}$/);
      second.reader.close();
      await waitUntil(() => writer.matchedReaders === 1);
      from.close();
      await waitUntil(() => to.reader.matchedWriters === 0);
      expect(counts.items.at(-1)).toBe(1);
    });

    itWhere(identifiesWriters)('reports which writer came and which one is gone', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const one = subject.join();
      const writer = one.createWriter(topic, reliable);
      await to.changes.untilCount(1);
      const two = subject.join();
      two.createWriter(topic, reliable);
      await to.changes.untilCount(2);
      writer.close();
      await to.changes.untilCount(3);
      two.close();
      await to.changes.untilCount(4);
      const [came, cameToo, went, wentToo] = to.changes.items;
      expect(to.changes.items.map((c) => [c.joined, c.matched])).toEqual([
        [true, 1],
        [true, 2],
        [false, 1],
        [false, 0],
      ]);
      expect(came?.writer.guid).toMatch(/^[0-9a-f]{32}$/);
      expect(went?.writer.guid).toBe(came?.writer.guid);
      expect(wentToo?.writer.guid).toBe(cameToo?.writer.guid);
      expect(cameToo?.writer.guid.slice(0, prefixDigits)).not.toBe(
        came?.writer.guid.slice(0, prefixDigits),
      );
    });

    itWhere(identifiesWriters)('names the writer of each sample', async () => {
      const to = new Listening(subject.join(), topic, bestEffort);
      const writers = [reliable, bestEffort].map((qos) => subject.join().createWriter(topic, qos));
      for (const writer of writers) await matched(writer, 1);
      await waitUntil(() => to.reader.matchedWriters === 2);
      for (const [index, writer] of writers.entries()) {
        writer.write(state(1, index));
        await to.samples.untilCount(index + 1);
      }
      expect(to.samples.items.map(({ writer }) => writer.reliable)).toEqual([true, false]);
      const guids = to.samples.items.map(({ writer }) => writer.guid);
      expect(guids).toEqual(to.changes.items.map(({ writer }) => writer.guid).sort(byUse(guids)));
    });

    itWhere(identifiesWriters)(
      'takes a sample once when a best-effort reader stands beside a reliable one',
      async () => {
        const side = subject.join();
        const one = new Listening(side, topic, reliable);
        const two = new Listening(side, topic, bestEffort, { ignoreReliableWriters: true });
        const reliableWriter = subject.join().createWriter(topic, reliable);
        const oldWriter = subject.join().createWriter(topic, bestEffort);
        await matched(reliableWriter, 2, one);
        await matched(oldWriter, 1, two);
        for (let i = 0; i < 50; i++) reliableWriter.write(state(1, i));
        oldWriter.write(state(2));
        await one.samples.untilCount(50);
        await two.samples.untilCount(1);
        expect(odometers(one.values)).toEqual(Array.from({ length: 50 }, (_, i) => i));
        expect(two.values.map(({ vehicle_id }) => vehicle_id)).toEqual([2]);
      },
    );

    itWhere(!identifiesWriters)('receives from writers of both kinds by one reader', async () => {
      const to = new Listening(subject.join(), topic, reliable, { yieldToBestEffort: true });
      const reliableWriter = subject.join().createWriter(topic, reliable);
      await matched(reliableWriter, 1, to);
      const oldWriter = subject.join().createWriter(topic, bestEffort);
      await matched(oldWriter, 1);
      await waitUntil(() => to.reader.matchedWriters === 2);
      reliableWriter.write(state(1));
      oldWriter.write(state(2));
      await to.samples.untilCount(2);
      const ids = to.values.map(({ vehicle_id }) => vehicle_id);
      expect(ids.sort((a, b) => a - b)).toEqual([1, 2]);
      expect(to.incompatible.items).toEqual([]);
    });

    itWhere(!identifiesWriters)('says of no writer which one it is', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const writer = subject.join().createWriter(topic, reliable);
      await matched(writer, 1, to);
      writer.write(state(1));
      await to.samples.untilCount(1);
      writer.close();
      await to.changes.untilCount(2);
      expect(to.changes.items).toEqual([
        { writer: unknownWriter, joined: true, matched: 1 },
        { writer: unknownWriter, joined: false, matched: 0 },
      ]);
      expect(to.samples.items[0]?.writer).toEqual(unknownWriter);
    });

    it('names the policy that keeps a reader from a writer, on both ends', async () => {
      const policies = new Recorder<string>('refused readers');
      const to = new Listening(subject.join(), topic, reliable);
      subject.join().createWriter(topic, bestEffort, {
        onIncompatibleQos: ({ policy }) => policies.add(policy),
      });
      await to.incompatible.untilCount(1);
      await policies.untilCount(1);
      expect(to.incompatible.items[0]).toEqual({ policy: 'RELIABILITY', total: 1 });
      expect(policies.items).toEqual(['RELIABILITY']);
      expect(to.reader.matchedWriters).toBe(0);
    });

    it('gives a late reader what was retained, in order, and a volatile one nothing', async () => {
      const writer = subject.join().createWriter(topics.readyStatus, retained);
      const ready = (id: number) =>
        topics.readyStatus.codec.encode({
          ...topics.readyStatus.codec.zero(),
          source_id: `hlc_${id}`,
        });
      for (const id of [1, 2, 3]) writer.write(ready(id));
      const late = new Listening(subject.join(), topics.readyStatus, retained);
      const volatile = new Listening(subject.join(), topics.readyStatus, reliable);
      await matched(writer, 2, late, volatile);
      await late.samples.untilCount(3);
      writer.write(ready(4));
      await volatile.samples.untilCount(1);
      await late.samples.untilCount(4);
      const ids = (listening: typeof late) => listening.values.map(({ source_id }) => source_id);
      expect(ids(late)).toEqual(['hlc_1', 'hlc_2', 'hlc_3', 'hlc_4']);
      expect(ids(volatile)).toEqual(['hlc_4']);
    });

    it('keeps the newest of each vehicle, though a history of one could hold a single one', async () => {
      const newest = {
        ...retained,
        history: { kind: 'keep-last', depth: 1 },
        durabilityService: { history: { kind: 'keep-last', depth: 1 } },
      } as const;
      const writer = subject.join().createWriter(topic, newest);
      const ids = Array.from({ length: writtenVehicles }, (_, i) => i + 1);
      for (const id of ids) writer.write(state(id, id));
      const late = new Listening(subject.join(), topic, newest);
      await late.samples.untilCount(ids.length);
      expect(late.values.map(({ vehicle_id }) => vehicle_id).sort((a, b) => a - b)).toEqual(ids);
    });

    it('refuses bytes that do not begin as plain CDR, and goes on', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const writer = subject.join().createWriter(topic, reliable);
      await matched(writer, 1, to);
      const whole = state(1);
      const unknownEncapsulation = Uint8Array.from(whole);
      unknownEncapsulation[1] = 7;
      const wrong = [new Uint8Array(), whole.subarray(0, 3)];
      for (const bytes of [...wrong, unknownEncapsulation]) {
        expect(() => writer.write(bytes)).toThrow(
          expect.objectContaining({ code: 'HLC_DDS_WRITE' }),
        );
      }
      writer.write(whole);
      await to.samples.untilCount(1);
      expect(to.samples.items.map(({ bytes }) => withoutPadding(bytes))).toEqual([
        withoutPadding(whole),
      ]);
    });

    it('refuses a type that the wire contract does not have', () => {
      const side = subject.join();
      const unknown = { name: 'vehicleState', typeName: 'NoSuchType' };
      const refusal = expect.objectContaining({ code: 'HLC_DDS_ENTITY' }) as Error;
      expect(() => side.createWriter(unknown, reliable)).toThrow(refusal);
      expect(() => side.createReader(unknown, reliable, { onSample: () => undefined })).toThrow(
        refusal,
      );
    });

    it('calls the other listeners when one throws, and the same one again', async () => {
      const side = subject.join();
      let calls = 0;
      const thrower = side.createReader(topic, reliable, {
        onSample: () => {
          calls++;
          throw new Error(`call ${calls}`);
        },
      });
      const to = new Listening(side, topic, reliable);
      const writer = subject.join().createWriter(topic, reliable);
      await matched(writer, 2, to);
      await waitUntil(() => thrower.matchedWriters === 1);
      writer.write(state(1));
      writer.write(state(2));
      await to.samples.untilCount(2);
      await waitUntil(() => calls === 2);
      expect(subject.faults.splice(0).map(String)).toEqual(['Error: call 1', 'Error: call 2']);
    });

    it('calls no listener of what is closed, and writes nothing there', async () => {
      const side = subject.join();
      const to = new Listening(side, topic, reliable);
      const witness = new Listening(side, topic, reliable);
      const from = subject.join();
      const writer = from.createWriter(topic, reliable);
      await matched(writer, 2, to, witness);
      const reported = to.changes.items.length;
      to.reader.close();
      to.reader.close();
      await matched(writer, 1, witness);
      writer.write(state(1));
      await witness.samples.untilCount(1);
      expect(to.samples.items).toEqual([]);
      expect(to.changes.items).toHaveLength(reported);
      writer.close();
      writer.close();
      const closed = expect.objectContaining({ code: 'HLC_CLOSED' }) as Error;
      expect(() => writer.write(state(2))).toThrow(closed);
      expect(writer.matchedParticipants().size).toBe(0);
      from.close();
      from.close();
      expect(() => from.createWriter(topic, reliable)).toThrow(closed);
    });

    it('closes endpoints with their side, in any order', () => {
      const side = subject.join();
      const writer = side.createWriter(topic, reliable);
      const reader = side.createReader(topic, reliable, { onSample: () => undefined });
      side.close();
      reader.close();
      writer.close();
      expect(() => writer.write(state(1))).toThrow(expect.objectContaining({ code: 'HLC_CLOSED' }));
    });

    it('hands over no sample when a side is gone with its instances', async () => {
      const to = new Listening(subject.join(), topic, reliable);
      const side = subject.join();
      const writer = side.createWriter(topic, reliable);
      await matched(writer, 1, to);
      writer.write(state(1));
      writer.write(state(2));
      await to.samples.untilCount(2);
      side.close();
      await waitUntil(() => to.reader.matchedWriters === 0);
      expect(to.values.map(({ vehicle_id }) => vehicle_id)).toEqual([1, 2]);
    });
  });
}

/** Sorts by the place in a list. */
function byUse(order: readonly string[]) {
  return (a: string, b: string) => order.indexOf(a) - order.indexOf(b);
}
