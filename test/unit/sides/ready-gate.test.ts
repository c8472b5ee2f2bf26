import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unknownWriter } from '../../../src/ports/index.js';
import { ReadyGate } from '../../../src/sides/ready-gate.js';

const guid = (participant: string) => participant.padEnd(32, '0');
const prefix = (participant: string) => participant.padEnd(24, '0');

let listeners: Set<string>;
let senders: Set<string>;
let reported: string[];
let gate: ReadyGate<string>;

beforeEach(() => {
  vi.useFakeTimers();
  listeners = new Set();
  senders = new Set();
  reported = [];
  gate = new ReadyGate(
    { listeners: () => listeners, senders: () => senders },
    { ready: (id) => reported.push(`ready ${id}`), deaf: (id) => reported.push(`deaf ${id}`) },
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
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('waits for the reader of its sender, not for those of others', () => {
    gate.readySignal('hlc_1', guid('a'));
    listeners.add(prefix('b'));
    gate.readersChanged();
    expect(reported).toEqual([]);
    listeners.add(prefix('a'));
    gate.readersChanged();
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('is passed on after a second and reported as deaf, and holds up no further one', () => {
    gate.readySignal('hlc_1', guid('a'));
    vi.advanceTimersByTime(999);
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reported).toEqual(['deaf hlc_1', 'ready hlc_1']);
    gate.readySignal('hlc_2', guid('a'));
    expect(reported.slice(2)).toEqual(['ready hlc_2']);
  });

  it('is passed on once', () => {
    gate.readySignal('hlc_1', guid('a'));
    listeners.add(prefix('a'));
    gate.readersChanged();
    gate.readersChanged();
    vi.advanceTimersByTime(5000);
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('does not count when its writer is gone meanwhile', () => {
    gate.readySignal('hlc_1', guid('a'));
    gate.readySignal('hlc_2', guid('b'));
    gate.writerGone(guid('a'));
    vi.advanceTimersByTime(1000);
    expect(reported).toEqual(['deaf hlc_2', 'ready hlc_2']);
  });

  it('is held again when its participant was deaf, and left', () => {
    gate.readySignal('hlc_1', guid('a'));
    vi.advanceTimersByTime(1000);
    gate.writerGone(guid('a'));
    gate.readySignal('hlc_1', guid('a'));
    expect(reported).toEqual(['deaf hlc_1', 'ready hlc_1']);
  });
});

describe('a ready signal of a sender whose writers of replies have just matched', () => {
  const command = (participant: string) => ({ guid: guid(participant), reliable: true });
  const bestEffortCommand = (participant: string) => ({ ...command(participant), reliable: false });

  beforeEach(() => {
    listeners.add(prefix('a'));
  });

  it('waits for the handshake of the last of them', () => {
    gate.replyWriterMatched(command('a'));
    vi.advanceTimersByTime(60);
    gate.replyWriterMatched(command('a'));
    gate.readySignal('hlc_1', guid('a'));
    vi.advanceTimersByTime(99);
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('waits as long when they are best effort: its reader may not know our writer yet', () => {
    gate.replyWriterMatched(bestEffortCommand('a'));
    gate.readySignal('hlc_1', guid('a'));
    vi.advanceTimersByTime(99);
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('does not wait for those of others', () => {
    gate.replyWriterMatched(command('b'));
    gate.readySignal('hlc_1', guid('a'));
    expect(reported).toEqual(['ready hlc_1']);
  });
});

describe('a ready signal of an unknown sender', () => {
  it('waits until all that send ready signals listen, without events of changes', () => {
    senders.add(prefix('a')).add(prefix('b'));
    listeners.add(prefix('a'));
    gate.readySignal('hlc_1', unknownWriter.guid);
    vi.advanceTimersByTime(100);
    expect(reported).toEqual([]);
    listeners.add(prefix('b'));
    vi.advanceTimersByTime(20);
    expect(reported).toEqual(['ready hlc_1']);
  });

  it('waits while no sender is known at all', () => {
    gate.readySignal('hlc_1', unknownWriter.guid);
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(reported).toEqual(['deaf hlc_1', 'ready hlc_1']);
    vi.advanceTimersByTime(20);
  });

  it('is held although another unknown sender was deaf', () => {
    gate.readySignal('hlc_1', unknownWriter.guid);
    vi.advanceTimersByTime(1000);
    gate.readySignal('hlc_2', unknownWriter.guid);
    expect(reported).toEqual(['deaf hlc_1', 'ready hlc_1']);
  });
});
