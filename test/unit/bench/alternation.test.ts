import { describe, expect, it } from 'vitest';
import { pooled } from '../../../bench/alternation.mjs';
import { unmeasured } from '../../../bench/deployment.mjs';

function runOf(latenessUs: number[], peakResidentMb: number) {
  const samples = { latenessUs, forwardedUs: latenessUs, seconds: 2 };
  return { ...unmeasured, peakResidentMb, otherShare: 0, samples };
}

describe('pooled', () => {
  it('takes quantiles of the samples of all runs, not of their quantiles', () => {
    // One run in ten is slow: its 10 samples are 1 % of all, above the p99.
    const slow = runOf(
      Array.from({ length: 10 }, () => 900),
      90,
    );
    const usual = Array.from({ length: 9 }, () =>
      runOf(
        Array.from({ length: 110 }, () => 100),
        80,
      ),
    );
    const all = pooled([slow, ...usual]);
    expect(all?.latenessP99Us).toBe(100);
    expect(all?.forwardedP50Us).toBe(100);
    expect(all?.startSignalsPerSecond).toBe(1000 / 20);
    expect(all?.peakResidentMb).toBe(90);
    expect(pooled([slow])?.latenessP99Us).toBe(900);
  });

  it('has nothing of runs without samples', () => {
    expect(pooled([{ ...unmeasured, otherShare: 0 }])).toBeUndefined();
  });
});
