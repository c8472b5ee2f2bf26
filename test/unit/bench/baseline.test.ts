import { describe, expect, it } from 'vitest';
import { compare, allowedFactor } from '../../../bench/baseline.mjs';

const rate = { name: 'lockstep_rate', load: '1 controller', better: 'more' } as const;
const delay = { name: 'forwarding_delay_p50', load: '10 ms', better: 'less' } as const;

describe('compare', () => {
  it('finds nothing where the ratios are as they were', () => {
    const measured = [
      { ...rate, ratio: 0.8 },
      { ...delay, ratio: 2 },
    ];
    expect(compare(measured, measured)).toEqual({
      compared: 2,
      regressions: [],
      unknown: [],
      unmeasured: [],
    });
  });

  it('finds a rate that fell, and none that rose', () => {
    const baseline = [{ ...rate, ratio: 0.8 }];
    const [fallen] = compare([{ ...rate, ratio: 0.4 }], baseline).regressions;
    expect(fallen).toEqual({
      name: 'lockstep_rate',
      load: '1 controller',
      before: 0.8,
      now: 0.4,
      factor: 2,
    });
    expect(compare([{ ...rate, ratio: 1.6 }], baseline).regressions).toEqual([]);
  });

  it('finds a delay that rose, and none that fell', () => {
    const baseline = [{ ...delay, ratio: 2 }];
    const [risen] = compare([{ ...delay, ratio: 4 }], baseline).regressions;
    expect(risen).toMatchObject({ name: 'forwarding_delay_p50', before: 2, now: 4, factor: 2 });
    expect(compare([{ ...delay, ratio: 1 }], baseline).regressions).toEqual([]);
  });

  it('lets a ratio become worse by the limit, and no more', () => {
    const baseline = [{ ...delay, ratio: 2 }];
    const regressionsAt = (ratio: number) => compare([{ ...delay, ratio }], baseline).regressions;
    expect(regressionsAt(2 * allowedFactor)).toEqual([]);
    expect(regressionsAt(2 * allowedFactor + 0.01)).toHaveLength(1);
  });

  it('takes a figure that is no number for a regression', () => {
    const baseline = [{ ...delay, ratio: 2 }];
    expect(compare([{ ...delay, ratio: NaN }], baseline).regressions).toHaveLength(1);
  });

  it('reports what only one of them has, and compares the rest', () => {
    const other = { ...rate, load: '64 controllers', ratio: 0.1 };
    const result = compare(
      [{ ...rate, ratio: 0.1 }, other],
      [
        { ...rate, ratio: 0.8 },
        { ...delay, ratio: 2 },
      ],
    );
    expect(result.compared).toBe(1);
    expect(result.regressions).toMatchObject([{ load: '1 controller' }]);
    expect(result.unknown).toEqual([other]);
    expect(result.unmeasured).toEqual([{ ...delay, ratio: 2 }]);
  });
});
