import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unknownWriter } from '../../../src/core/ports/index.js';
import { ReadyGate } from '../../../src/sides/ready-gate.js';

const guid = (participant: string) => participant.padEnd(32, '0');
const prefix = (participant: string) => participant.padEnd(24, '0');

let listeners: Set<string>;
let senders: Set<string>;
let told: string[];
let gate: ReadyGate;

beforeEach(() => {
  vi.useFakeTimers();
  listeners = new Set();
  senders = new Set();
  told = [];
  gate = new ReadyGate(
    { listeners: () => listeners, senders: () => senders },
    { readySignal: (id) => told.push(`ready ${id}`), deaf: (id) => told.push(`deaf ${id}`) },
  );
});

afterEach(() => {
  gate.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a ready signal of a known sender', () => {
  it('is passed on when the sender listens for start signals', () => {
    listeners.add(prefix('a'));
    gate.readySignal('hlc_1', guid('a'));
    expect(told).toEqual(['ready hlc_1']);
  });

  it('waits for the reader of its sender, not for those of others', () => {
    gate.readySignal('hlc_1', guid('a'));
    listeners.add(prefix('b'));
    gate.readersChanged();
    expect(told).toEqual([]);
    listeners.add(prefix('a'));
    gate.readersChanged();
    expect(told).toEqual(['ready hlc_1']);
  });

  it('is passed on after a second, and told as deaf', () => {
    gate.readySignal('hlc_1', guid('a'));
    vi.advanceTimersByTime(999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['deaf hlc_1', 'ready hlc_1']);
  });
});

describe('a ready signal of an unknown sender', () => {
  it('waits until all that send ready signals listen, without being told of changes', () => {
    senders.add(prefix('a')).add(prefix('b'));
    listeners.add(prefix('a'));
    gate.readySignal('hlc_1', unknownWriter.guid);
    vi.advanceTimersByTime(100);
    expect(told).toEqual([]);
    listeners.add(prefix('b'));
    vi.advanceTimersByTime(20);
    expect(told).toEqual(['ready hlc_1']);
  });

  it('waits while no sender is known at all', () => {
    gate.readySignal('hlc_1', unknownWriter.guid);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['deaf hlc_1', 'ready hlc_1']);
    vi.advanceTimersByTime(20);
  });
});
