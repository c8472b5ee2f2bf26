import { beforeEach, describe, expect, it } from 'vitest';
import { Parameters, type ParameterValue } from '../../../../src/ros2/index.js';

let set: ParameterValue[];
let parameters: Parameters;

beforeEach(() => {
  set = [];
  parameters = new Parameters([
    {
      name: 'period_ms',
      type: 'double',
      value: 50,
      description: 'Time from one start signal to the next.',
      constraints: 'a number of milliseconds',
      range: { from: 0.1, to: 1000 },
    },
    {
      name: 'vehicle_ids',
      type: 'integerArray',
      value: [1n, 2n],
      description: 'Vehicles.',
      constraints: 'a list',
    },
    {
      name: 'periods',
      type: 'integer',
      value: undefined,
      description: 'End after this many periods.',
      constraints: 'a whole number',
      range: { from: 1n, to: 10n },
    },
    {
      name: 'log_level',
      type: 'string',
      value: 'info',
      description: 'The least severe level.',
      constraints: 'one of info, debug',
      set: (value) => {
        if (value === 'loud') throw new Error('loud is no level');
        set.push(value);
      },
    },
  ]);
});

const logLevel = (text: string) => ({
  name: 'log_level',
  value: { type: 4, string_value: text },
});
const period = { name: 'period_ms', value: { type: 3, double_value: 20 } };

describe('the parameters of the node', () => {
  it('are listed, all or those of a prefix', () => {
    expect(parameters.list([])).toEqual(['period_ms', 'vehicle_ids', 'periods', 'log_level']);
    expect(parameters.list(['periods', 'nothing'])).toEqual(['periods']);
    expect(parameters.list(['period'])).toEqual([]);
  });

  it('are read with their types; what is not set or unknown says so', () => {
    expect(parameters.get(['period_ms', 'vehicle_ids', 'periods', 'nothing'])).toEqual([
      { type: 3, double_value: 50 },
      { type: 7, integer_array_value: [1n, 2n] },
      { type: 0 },
      { type: 0 },
    ]);
    expect(parameters.typesOf(['log_level', 'periods', 'nothing'])).toEqual([4, 2, 0]);
  });

  it('are described with their ranges, and whether they can be set', () => {
    const [double, integer, text, unknown] = parameters.describe([
      'period_ms',
      'periods',
      'log_level',
      'nothing',
    ]);
    expect(double).toEqual({
      name: 'period_ms',
      type: 3,
      description: 'Time from one start signal to the next.',
      additional_constraints: 'a number of milliseconds',
      read_only: true,
      floating_point_range: [{ from_value: 0.1, to_value: 1000, step: 0 }],
    });
    expect(integer?.integer_range).toEqual([{ from_value: 1n, to_value: 10n, step: 1n }]);
    expect(text).toMatchObject({ read_only: false });
    expect(text).not.toHaveProperty('integer_range');
    expect(unknown).toEqual({ name: 'nothing', type: 0 });
  });

  it('can be set where they are not read-only, and say why not', () => {
    const results = parameters.set([
      logLevel('debug'),
      period,
      logLevel('loud'),
      { name: 'log_level', value: { type: 2, integer_value: 1n } },
      { name: 'nothing', value: { type: 1, bool_value: true } },
    ]);
    expect(results.map(({ successful }) => successful)).toEqual([true, false, false, false, false]);
    const reasons = results.map(({ reason }) => reason);
    expect(reasons[1]).toMatch(/^"period_ms" is read-only/);
    expect(reasons[2]).toBe('loud is no level');
    expect(reasons[3]).toBe('"log_level" has another type; it must be one of info, debug');
    expect(reasons[4]).toBe('there is no parameter "nothing"');
    expect(set).toEqual(['debug']);
    expect(parameters.get(['log_level'])).toEqual([{ type: 4, string_value: 'debug' }]);
  });

  it('are set together or not at all', () => {
    expect(parameters.setAtomically([logLevel('debug'), period])).toMatchObject({
      successful: false,
    });
    expect(set).toEqual([]);
    expect(parameters.setAtomically([])).toMatchObject({ successful: true });
    expect(parameters.setAtomically([logLevel('debug')])).toMatchObject({ successful: true });
    expect(set).toEqual(['debug']);
  });
});
