import { describe, expect, it } from 'vitest';
import { pooled } from '../../../bench/alternation.mjs';
import { unmeasured } from '../../../bench/deployment.mjs';

/** Start signals of one slice of two seconds, all with one lateness. */
function slice(count: number, us: number, otherShare = 0) {
  const latenessUs = Array.from({ length: count }, () => us);
  return { latenessUs, forwardedUs: latenessUs, seconds: 2, otherShare };
}

function runOf(slices: ReturnType<typeof slice>[], peakResidentMb = 80) {
  return { ...unmeasured, peakResidentMb, otherShare: 0, slices };
}

describe('pooled', () => {
  it('takes quantiles of the slices of all runs, not of their quantiles', () => {
    // The slow run has 1 % of all start signals.
    const usual = Array.from({ length: 9 }, () => runOf([slice(110, 100)]));
    const all = pooled([runOf([slice(10, 900)], 90), ...usual]);
    expect(all?.latenessP99Us).toBe(100);
    expect(all?.forwardedP50Us).toBe(100);
    expect(all?.startSignalsPerSecond).toBe(1000 / 20);
    expect(all?.peakResidentMb).toBe(90);
  });

  it('leaves out slices in which other programs ran', () => {
    const all = pooled([runOf([slice(100, 100), slice(100, 900, 0.5), slice(100, 200, 0.1)])]);
    expect(all?.latenessP99Us).toBe(200);
    expect(all?.startSignalsPerSecond).toBe(200 / 4);
  });

  it('keeps the less disturbed half where other programs ran all the time', () => {
    const all = pooled([runOf([slice(100, 900, 2), slice(100, 100, 0.5)])]);
    expect(all?.latenessP99Us).toBe(100);
  });

  it('has nothing of runs without slices', () => {
    expect(pooled([{ ...unmeasured, otherShare: 0 }])).toBeUndefined();
  });
});
