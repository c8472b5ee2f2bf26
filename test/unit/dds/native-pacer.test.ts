import { expect, it } from 'vitest';
import type { EmergencySample } from '../../../src/dds/index.js';
import { EventKind, type EventBatch } from '../../../src/dds/event-batch.js';
import { NativePacer, type PacerAddOn } from '../../../src/dds/native-pacer.js';
import type { TransportWriter } from '../../../src/ports/index.js';

const ms = 1_000_000n;
const wallNs = 1_700_000_000_000n * ms;

/** A pacer over an add-on that writes nothing, and a writer of another transport. */
function opened() {
  const happened: string[] = [];
  /** Not seen yet. */
  const hangs = { unseen: 0, stall: 0 };
  let nowNs = 0n;
  let wallNowNs = wallNs;
  const native: Partial<PacerAddOn> = {
    setEmergencySample: () => void happened.push('add-on takes a sample'),
    removeEmergencySample: () => undefined,
    emergencyStop: (_, everyNs, forNs, places) => {
      const what = places ? 'add-on' : 'add-on without places';
      happened.push(`${what} every ${everyNs / ms} ms for ${forNs / ms} ms`);
      return 0;
    },
    stall: () => hangs.stall,
    removeBeacon: () => void happened.push('beacon ends'),
    unseenHang: () => (hangs.unseen > 0 ? 7n : undefined),
    hangSeen: () => {
      hangs.unseen--;
      return true;
    },
    closePacer: () => undefined,
    monotonicNs: () => nowNs,
    realtimeNs: () => wallNowNs,
  };
  const pacer = new NativePacer(
    native as PacerAddOn,
    1,
    () => undefined,
    (durationNs) => {
      nowNs += durationNs;
      wallNowNs += durationNs;
    },
  );
  const written: Uint8Array[] = [];
  const writer = {
    write: (bytes: Uint8Array) => {
      written.push(Uint8Array.from(bytes));
      happened.push(`writes ${bytes[0]} at ${nowNs / ms} ms`);
    },
  } as unknown as TransportWriter;
  const sample = (id: number, values: Partial<EmergencySample> = {}): EmergencySample => {
    const bytes = new Uint8Array(17);
    bytes[0] = id;
    return { writer, bytes, patches: [], floorNs: 0n, ...values };
  };
  const setBack = (byNs: bigint) => void (wallNowNs -= byNs);
  return { pacer, stop: pacer.emergencyStop, sample, written, happened, hangs, setBack };
}

/** The integers of a sample behind its id. */
function stampsOf(bytes: Uint8Array | undefined): bigint[] {
  const view = new DataView(bytes?.buffer ?? new ArrayBuffer(17));
  return [view.getBigUint64(1, true), view.getBigUint64(9, true)];
}

const patches = [
  { offset: 1, deltaNs: 0n },
  { offset: 9, deltaNs: 7n },
];

it('writes by itself, in the order of the keys, what the add-on cannot write', () => {
  const { stop, sample, happened } = opened();
  expect(stop.set(2, sample(12))).toBe(false);
  expect(stop.set(1, sample(11))).toBe(false);
  expect(stop.sendBlocking(0n, 0n)).toBe(2);
  expect(happened).toEqual([
    'add-on every 0 ms for 0 ms',
    'writes 11 at 0 ms',
    'writes 12 at 0 ms',
  ]);
});

it('repeats them with those of the add-on', () => {
  const { stop, sample, happened } = opened();
  stop.set(1, sample(11));
  expect(stop.sendBlocking(50n * ms, 100n * ms)).toBe(3);
  const once = (atMs: number) => ['add-on every 0 ms for 0 ms', `writes 11 at ${atMs} ms`];
  expect(happened).toEqual([...once(0), ...once(50), ...once(100)]);
});

it('leaves the repetitions to the add-on while that can write everything', () => {
  const { stop, sample, happened } = opened();
  stop.set(1, sample(11));
  stop.set(1, undefined);
  stop.sendBlocking(50n * ms, 1000n * ms);
  expect(happened).toEqual(['add-on every 50 ms for 1000 ms']);
});

it('stamps them as the add-on does: with the wall clock, from the floor on, and rising', () => {
  const { stop, sample, written, setBack } = opened();
  stop.set(1, sample(11, { patches }));
  stop.sendBlocking(0n, 0n);
  setBack(ms);
  stop.set(1, sample(11, { patches }));
  stop.sendBlocking(0n, 0n);
  stop.set(1, sample(11, { patches, floorNs: wallNs + ms }));
  stop.sendBlocking(0n, 0n);
  expect(written.map(stampsOf)).toEqual([
    [wallNs, wallNs + 7n],
    [wallNs + 1n, wallNs + 8n],
    [wallNs + ms, wallNs + ms + 7n],
  ]);
});

it('copies a sample', () => {
  const { stop, sample, written } = opened();
  const given = sample(11);
  stop.set(1, given);
  given.bytes[0] = 99;
  stop.sendBlocking(0n, 0n);
  expect(written[0]?.[0]).toBe(11);
});

it('writes the others when one cannot be written', () => {
  const { stop, sample, happened } = opened();
  const broken = {
    write: () => {
      throw new Error('closed');
    },
  } as unknown as TransportWriter;
  stop.set(1, sample(11, { writer: broken }));
  stop.set(2, sample(12));
  expect(stop.sendBlocking(0n, 0n)).toBe(1);
  expect(happened.at(-1)).toBe('writes 12 at 0 ms');
});

it('leaves out those for a hang, and writes none once it is closed', () => {
  const { pacer, stop, sample, happened } = opened();
  stop.set(1, sample(11, { occasion: 'afterHang' }));
  stop.set(2, sample(12, { occasion: 'atOnce' }));
  expect(stop.sendBlocking(0n, 0n)).toBe(1);
  expect(happened.at(-1)).toBe('writes 12 at 0 ms');
  pacer.close();
  expect(stop.sendBlocking(0n, 0n)).toBe(0);
});

it('asks once for what has changed, before it writes, and writes whatever comes of that', () => {
  const { stop, sample, happened } = opened();
  stop.set(1, sample(11));
  const asked: string[] = [];
  stop.onSending((stall) => {
    asked.push(stall);
    stop.set(1, sample(12));
    throw new Error('broken');
  });
  expect(stop.sendBlocking(0n, 0n)).toBe(1);
  expect(happened.at(-1)).toBe('writes 12 at 0 ms');
  expect(stop.sendBlocking(0n, 0n)).toBe(1);
  expect(asked).toEqual(['none']);
  expect(happened).not.toContain('beacon ends');
});

it('leaves places out where something else has stopped the vehicles, and looks dead for it', () => {
  const { stop, hangs, happened } = opened();
  hangs.stall = 1;
  const asked: string[] = [];
  stop.onSending((stall) => {
    asked.push(stall);
    return false;
  });
  stop.sendBlocking(0n, 0n);
  stop.sendBlocking(50n * ms, 1000n * ms);
  expect(asked).toEqual(['suspended']);
  expect(happened).toEqual([
    'beacon ends',
    'add-on without places every 0 ms for 0 ms',
    'add-on without places every 50 ms for 1000 ms',
  ]);
});

it('takes nothing as stopped in a hang where only this thread can write', () => {
  const { stop, hangs, sample, happened } = opened();
  hangs.stall = 2;
  const asked: string[] = [];
  stop.set(1, sample(11, { occasion: 'atOnce' }));
  stop.onSending((stall) => {
    asked.push(stall);
    return stall === 'none';
  });
  stop.sendBlocking(0n, 0n);
  expect(asked).toEqual(['none']);
  expect(happened.at(-1)).toBe('writes 11 at 0 ms');
});

it('writes those that name no place as soon as this thread runs again after a hang', () => {
  const { pacer, stop, sample, happened, hangs } = opened();
  stop.set(1, sample(11));
  stop.set(2, sample(12, { occasion: 'atOnce' }));
  stop.set(3, sample(13, { occasion: 'afterHang' }));
  stop.set(4, sample(14, { occasion: 'unlessSuspended' }));
  const isComplete: boolean[] = [];
  stop.onSentByHang((hang) => {
    happened.push('hang');
    isComplete.push(hang.isComplete);
  });
  const event = { kind: EventKind.sentByHang, a: 0n, b: 0n } as unknown as EventBatch;
  hangs.unseen = 1;
  pacer.dispatch(event);
  expect(happened).toEqual(['writes 11 at 0 ms', 'writes 14 at 0 ms', 'hang']);
  // Nobody wrote the third one.
  stop.set(3, undefined);
  hangs.unseen = 1;
  pacer.dispatch(event);
  expect(isComplete).toEqual([false, true]);
});

it('sees a hang before its event, once', () => {
  const { pacer, stop, hangs } = opened();
  const silentNs: bigint[] = [];
  stop.onSentByHang((hang) => silentNs.push(hang.silentNs));
  stop.seeHang();
  expect(silentNs).toEqual([]);
  hangs.unseen = 1;
  stop.seeHang();
  expect(silentNs).toEqual([7n]);
  stop.seeHang();
  pacer.dispatch({ kind: EventKind.sentByHang, a: 0n, b: 0n } as unknown as EventBatch);
  expect(silentNs).toEqual([7n]);
});

it('puts no time ahead of the clock of the receiver that the wall clock was set forward from', () => {
  const { stop, sample, written, setBack } = opened();
  const timed = [
    { offset: 1, deltaNs: 0n },
    { offset: 9, deltaNs: 7n, isTime: true },
  ];
  // The steady clock of this test begins at 0.
  stop.set(1, sample(11, { patches: timed, clockOffsetNs: wallNs }));
  stop.sendBlocking(0n, 0n);
  setBack(-10_000n * ms);
  stop.sendBlocking(0n, 0n);
  setBack(20_000n * ms);
  stop.set(2, sample(12, { patches: timed, clockOffsetNs: wallNs }));
  stop.sendBlocking(0n, 0n);
  const jumpedNs = wallNs + 10_000n * ms;
  expect(written.map(stampsOf)).toEqual([
    [wallNs, wallNs + 7n],
    [jumpedNs, wallNs + 7n],
    // It outranks what was written before.
    [jumpedNs + 1n, wallNs + 7n],
    [wallNs - 10_000n * ms, wallNs - 10_000n * ms + 7n],
  ]);
});
