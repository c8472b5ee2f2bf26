import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Wake } from '../../../src/certify/examination/wake.js';
import { StillPacer } from '../../support/still-pacer.js';

const ms = 1_000_000n;

class RecordingPacer extends StillPacer {
  readonly armed: bigint[] = [];

  override arm(deadlineNs?: bigint): void {
    if (deadlineNs !== undefined) this.armed.push(deadlineNs);
  }
}

let nowNs: bigint;
let pacer: RecordingPacer;
let stalls: bigint[];
let wake: Wake;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nowNs = 0n;
  stalls = [];
  pacer = new RecordingPacer();
  const clocks = { monotonicNs: () => nowNs, realtimeNs: () => nowNs };
  wake = new Wake(clocks, pacer, (forNs) => stalls.push(forNs));
});

afterEach(() => {
  wake.close();
  vi.useRealTimers();
});

/** Time passes, and the pacer ticks. */
function tickAfter(ns: bigint): void {
  nowNs += ns;
  pacer.tick({ deadlineNs: nowNs, wokeAtNs: nowNs, realtimeNs: nowNs });
}

describe('a wait', () => {
  it('settles at the tick of its instant, not before', async () => {
    let settled = false;
    const waiting = wake.after(7n * ms).then(() => (settled = true));
    expect(pacer.armed).toEqual([7n * ms]);
    await Promise.resolve();
    expect(settled).toBe(false);
    tickAfter(7n * ms);
    await waiting;
  });

  it('for a condition settles when it holds', async () => {
    let holds = false;
    const waiting = wake.until(() => holds, 50n * ms);
    tickAfter(ms);
    await Promise.resolve();
    holds = true;
    tickAfter(ms);
    await expect(waiting).resolves.toBe(true);
  });

  it('for a condition that does not hold settles with false when its time is over', async () => {
    const waiting = wake.until(() => false, 2n * ms);
    for (let step = 0; step < 2; step++) {
      tickAfter(ms);
      await Promise.resolve();
      await Promise.resolve();
    }
    await expect(waiting).resolves.toBe(false);
    expect(pacer.armed).toEqual([ms, 2n * ms]);
  });
});

describe('a stall of this process', () => {
  it('is reported with its duration', () => {
    nowNs = 105n * ms;
    vi.advanceTimersToNextTimer();
    expect(stalls).toEqual([100n * ms]);
  });

  it('is not reported while the process runs on time', () => {
    for (let look = 0; look < 3; look++) {
      nowNs += 6n * ms;
      vi.advanceTimersToNextTimer();
    }
    expect(stalls).toEqual([]);
  });
});
