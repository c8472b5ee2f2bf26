import { expect, it } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import { topics } from '../../../src/messages/index.js';
import type { QosPolicies, Transport } from '../../../src/ports/index.js';
import { PatientWriter } from '../../../src/sides/patient-writer.js';
import { recordErrors } from './sides.js';

const topic = topics.systemTrigger;

/** A writer over a transport that refuses samples while `isFull`, and a clock. */
function opened(maxBlockingTimeNs: bigint | null = 100_000_000n, start: 'pass' | 'hold' = 'pass') {
  const written: number[] = [];
  const state = { isFull: false, nowMs: 0, attempts: 0 };
  const timers: { readonly atMs: number; readonly then: () => void }[] = [];
  let given: QosPolicies | undefined;
  const transport = {
    createWriter: (_: unknown, qos: QosPolicies) => {
      given = qos;
      return {
        write: ([byte = 0]: Uint8Array) => {
          state.attempts++;
          if (state.isFull) {
            throw new HlcError('HLC_DDS_WRITE', { topic: topic.name, cause: 'Timeout' });
          }
          written.push(byte);
        },
      };
    },
  } as unknown as Transport;
  const qos = {
    writer: () => ({ reliability: { kind: 'reliable' as const, maxBlockingTimeNs } }),
    readers: () => [],
  };
  const errors = recordErrors();
  const writer = new PatientWriter({ transport, qos }, topic, errors, start, {
    nowMs: () => state.nowMs,
    after: (ms, then) => {
      timers.push({ atMs: state.nowMs + ms, then });
      return { unref: () => undefined };
    },
  });
  const run = (ms: number) => {
    for (const endMs = state.nowMs + ms; state.nowMs < endMs; state.nowMs++) {
      const due = timers.filter(({ atMs }) => atMs <= state.nowMs);
      timers.splice(0, timers.length, ...timers.filter(({ atMs }) => atMs > state.nowMs));
      for (const { then } of due) then();
    }
  };
  const write = (...bytes: number[]) => {
    for (const byte of bytes) writer.write(Uint8Array.of(byte));
  };
  return { writer, write, run, state, written, errors, given: () => given };
}

it('writes at once while readers take samples', () => {
  const { write, written, errors } = opened();
  write(1, 2, 3);
  expect(written).toEqual([1, 2, 3]);
  expect(errors.lines).toEqual([]);
});

it('keeps what a reader does not take, and writes it later, in order', () => {
  const { write, run, state, written, errors } = opened();
  state.isFull = true;
  write(1, 2, 3);
  run(500);
  // One sample in 20 ms.
  expect(state.attempts).toBeLessThan(30);
  state.isFull = false;
  write(4);
  expect(written).toEqual([]);
  run(50);
  expect(written).toEqual([1, 2, 3, 4]);
  write(5);
  expect(written).toEqual([1, 2, 3, 4, 5]);
  expect(errors.lines).toEqual([]);
});

it('gives a sample up when it could not be written for 15 s', () => {
  const { write, run, state, written, errors } = opened();
  state.isFull = true;
  write(1);
  run(10_000);
  write(2);
  expect(errors.lines).toEqual([]);
  run(6000);
  expect(errors.lines).toEqual(['HLC_DDS_WRITE']);
  state.isFull = false;
  run(100);
  expect(written).toEqual([2]);
});

it('tries no more than one of many that are given up at once', () => {
  const { write, run, state, errors } = opened();
  state.isFull = true;
  write(...Array.from({ length: 500 }, () => 1));
  run(14_990);
  const { attempts } = state;
  run(30);
  expect(errors.lines).toHaveLength(500);
  expect(state.attempts - attempts).toBeLessThanOrEqual(2);
});

it('writes nothing before its release, however long that takes', () => {
  const { writer, write, run, state, written, errors } = opened(null, 'hold');
  write(1, 2);
  run(60_000);
  expect(state.attempts).toBe(0);
  state.isFull = true;
  writer.release();
  run(10_000);
  expect(written).toEqual([]);
  state.isFull = false;
  run(30);
  write(3);
  expect(written).toEqual([1, 2, 3]);
  expect(errors.lines).toEqual([]);
});

it('keeps no more than 10,000 samples', () => {
  const { write, state, errors } = opened();
  state.isFull = true;
  for (let i = 0; i <= 10_000; i++) write(1);
  expect(errors.lines).toEqual([`lost 1 of ${topic.name}: overflow`]);
});

it('keeps no more than 16 MiB', () => {
  const { writer, run, state, written, errors } = opened();
  state.isFull = true;
  const quarter = new Uint8Array(4 * 2 ** 20);
  for (let i = 0; i < 5; i++) writer.write(quarter);
  expect(errors.lines).toEqual([`lost 1 of ${topic.name}: overflow`]);
  state.isFull = false;
  run(100);
  expect(written).toHaveLength(4);
  state.isFull = true;
  for (let i = 0; i < 4; i++) writer.write(quarter);
  expect(errors.lines).toHaveLength(1);
});

it('forgets what waits when it is to', () => {
  const { writer, write, run, state, written } = opened();
  state.isFull = true;
  write(1, 2);
  writer.drop();
  state.isFull = false;
  write(3);
  run(100);
  expect(written).toEqual([3]);
});

it.each([
  [100_000_000n, 1_000_000n],
  [null, 1_000_000n],
  [500_000n, 500_000n],
])('waits for a reader no longer than 1 ms where the QoS says %s ns', (given, taken) => {
  expect(opened(given).given()).toEqual({
    reliability: { kind: 'reliable', maxBlockingTimeNs: taken },
  });
});
