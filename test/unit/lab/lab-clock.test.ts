import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSystemClock, type LabClock } from '../../../src/lab/index.js';

const ms = 1_000_000n;

describe('the system clock', () => {
  let realtimeNs = 0n;
  let clock: LabClock;
  let callback: () => void;
  /** Lets timers run for a time in which the computer's clock moves by another. */
  const pass = (timersMs: number, byNs: bigint): void => {
    realtimeNs += byNs;
    vi.advanceTimersByTime(timersMs);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    realtimeNs = 1_000n * ms;
    clock = createSystemClock(() => realtimeNs);
    callback = vi.fn();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reports the time of the computer', () => {
    expect(clock.nowNs()).toBe(1_000n * ms);
  });

  it('calls back once when the time has come', () => {
    clock.at(1_003n * ms + 1n, callback);
    pass(3, 3n * ms);
    expect(callback).not.toHaveBeenCalled();
    pass(1, 1n * ms);
    pass(100, 100n * ms);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('waits on when the timer of Node is early', () => {
    clock.at(1_003n * ms, callback);
    pass(3, 2n * ms + 400_000n);
    expect(callback).not.toHaveBeenCalled();
    pass(1, 600_000n);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not wait for an hour when the computer is set back by one', () => {
    clock.at(1_003n * ms, callback);
    realtimeNs -= 3_600_000n * ms;
    pass(3, 3n * ms);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('calls back soon for a time in the past, but not from within the call', () => {
    clock.at(999n * ms, callback);
    expect(callback).not.toHaveBeenCalled();
    pass(1, 1n * ms);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call back what was cancelled, also when it had to wait on', () => {
    const cancel = clock.at(1_003n * ms, callback);
    const cancelEarly = clock.at(1_003n * ms, callback);
    cancelEarly();
    pass(3, 2n * ms);
    cancel();
    pass(100, 100n * ms);
    expect(callback).not.toHaveBeenCalled();
  });
});
