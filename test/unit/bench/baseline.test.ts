import { describe, expect, it } from 'vitest';
import { allowedFactor, baselineOf, compare, withBaseline } from '../../../bench/baseline.mjs';

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

describe('The baselines of several machines', () => {
  const xeon = { machine: '2 × Xeon, Linux 6.1', ratios: [{ ...delay, ratio: 2 }] };
  const epyc = { machine: '2 × EPYC, Linux 6.1', ratios: [{ ...delay, ratio: 3 }] };

  it('compare with that of the same processor, whatever runs on it', () => {
    expect(baselineOf('2 × EPYC, Linux 6.9', [xeon, epyc])).toBe(epyc);
  });

  it('compare with the first one where no processor is the same', () => {
    expect(baselineOf('4 × EPYC, Linux 6.1', [xeon, epyc])).toBe(xeon);
  });

  it('replace that of the same processor only', () => {
    const again = { machine: '2 × EPYC, Linux 6.9', ratios: [{ ...delay, ratio: 2.5 }] };
    expect(withBaseline([xeon, epyc], again)).toEqual([xeon, again]);
    expect(withBaseline([xeon], epyc)).toEqual([xeon, epyc]);
  });
});
