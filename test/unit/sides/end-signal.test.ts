import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { onEndSignal, type SignalSource } from '../../../src/sides/index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const emitter = new EventEmitter();
  const killed: unknown[] = [];
  const seen: string[] = [];
  const source = Object.assign(emitter, {
    pid: 7,
    kill: (...args: unknown[]) => killed.push(args) > 0,
  }) as unknown as SignalSource;
  onEndSignal((signal) => seen.push(signal), { source });
  return { send: (signal: string) => emitter.emit(signal, signal), killed, seen };
}

it('ends once, whether a signal comes once or twice within a second', () => {
  const { send, killed, seen } = watched();
  send('SIGINT');
  vi.advanceTimersByTime(999);
  send('SIGINT');
  expect(seen).toEqual(['SIGINT']);
  expect(killed).toEqual([]);
});

it('leaves a later or another signal to the system', () => {
  const { send, killed } = watched();
  send('SIGINT');
  vi.advanceTimersByTime(1000);
  send('SIGINT');
  expect(killed).toEqual([[7, 'SIGINT']]);
  expect(send('SIGINT')).toBe(false);
  const other = watched();
  other.send('SIGINT');
  other.send('SIGTERM');
  expect(other.killed).toEqual([[7, 'SIGTERM']]);
});
