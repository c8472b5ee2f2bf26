import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HangStops } from '../../../src/node/middleware/hang-stops.js';

let isGuarded = false;
let causes: string[];
let heldMs: number;
let stops: HangStops;

beforeEach(() => {
  vi.useFakeTimers();
  causes = [];
  heldMs = 0;
  stops = new HangStops({
    isGuarded: () => isGuarded,
    holdSession: (ms) => (heldMs = ms),
    stopAll: (cause) => void causes.push(cause),
  });
});

afterEach(() => {
  stops.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it.each([false, true])('are reported at once where all were sent; with a guard: %s', (guarded) => {
  isGuarded = guarded;
  stops.sent({ isComplete: true });
  expect(causes).toEqual(['stalled']);
  expect(stops.isWaiting).toBe(false);
});

it('are reported at once without a guard', () => {
  isGuarded = false;
  stops.sent({ isComplete: false });
  expect(causes).toEqual(['stalledOnPlan']);
});

it('wait for the word of a guard after the last hang, and are reported once', () => {
  isGuarded = true;
  stops.sent({ isComplete: false });
  // The guard may act in a second suspension only.
  vi.advanceTimersByTime(50);
  stops.sent({ isComplete: false });
  vi.advanceTimersByTime(99);
  expect(causes).toEqual([]);
  expect(stops.isWaiting).toBe(true);
  expect(heldMs).toBeGreaterThan(100);
  vi.advanceTimersByTime(1);
  expect(causes).toEqual(['stalledOnPlan']);
  expect(stops.isWaiting).toBe(false);
});

it('are not reported after the end', () => {
  isGuarded = true;
  stops.sent({ isComplete: false });
  stops.close();
  vi.advanceTimersByTime(1000);
  expect(causes).toEqual([]);
});
