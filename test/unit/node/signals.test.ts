import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSignals, type EndSignals } from '../../../src/node/host/signals.js';

let source: EventEmitter;
/** What the process is sent, and whether the emergency samples were sent before. */
let happened: string[];
let signals: EndSignals;

beforeEach(() => {
  vi.useFakeTimers();
  source = new EventEmitter();
  happened = [];
  const ofProcess = Object.assign(source, {
    pid: 7,
    kill: (pid: number, signal: string) => {
      happened.push(`${signal} to ${pid}, ${source.listenerCount(signal)} listeners`);
      return true;
    },
  });
  signals = watchSignals(130, () => happened.push('emergency'), ofProcess);
});

afterEach(() => vi.useRealTimers());

const send = (signal: NodeJS.Signals) => source.emit(signal, signal);

describe('the first signal', () => {
  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s asks for the end, with exit code %i', async (signal, code) => {
    expect([signals.stopped.aborted, signals.exitCode(5)]).toEqual([false, 5]);
    send(signal);
    await signals.received;
    expect([signals.stopped.aborted, signals.exitCode(5)]).toEqual([true, code]);
    expect(happened).toEqual([]);
  });
});

describe('a second signal', () => {
  it('is the same wish when it is the same within a second, however often', () => {
    send('SIGINT');
    vi.advanceTimersByTime(999);
    send('SIGINT');
    send('SIGINT');
    expect(happened).toEqual([]);
  });

  it('is the same wish when it waited until the event loop went on, however long that stood still', () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['performance'] });
    send('SIGINT');
    // No timer fires meanwhile.
    vi.advanceTimersByTime(5000);
    send('SIGINT');
    expect(happened).toEqual([]);
  });

  it('sends the emergency samples and ends the process when it comes later', () => {
    send('SIGINT');
    vi.advanceTimersByTime(1000);
    send('SIGINT');
    expect(happened).toEqual(['emergency', 'SIGINT to 7, 0 listeners']);
  });

  it('does so at once when it is another one', () => {
    send('SIGINT');
    send('SIGTERM');
    expect(happened).toEqual(['emergency', 'SIGTERM to 7, 0 listeners']);
  });
});

describe('after the end', () => {
  const close = async () => {
    const closed = signals.close();
    await vi.advanceTimersByTimeAsync(1);
    await closed;
  };

  it('signals have their default action again', async () => {
    await close();
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
      expect(source.listenerCount(signal)).toBe(0);
    }
  });

  it('a signal on its way a second time is still the same wish', async () => {
    send('SIGINT');
    await close();
    expect([source.listenerCount('SIGINT'), source.listenerCount('SIGTERM')]).toEqual([1, 0]);
    send('SIGINT');
    expect(happened).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(source.listenerCount('SIGINT')).toBe(0);
  });
});
