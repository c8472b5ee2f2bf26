import { describe, expect, it } from 'vitest';
import {
  middlewareParameters,
  parameterMessage,
  ParameterTable,
  type ParameterValue,
} from '../../../../src/lab/control/parameters.js';
import { ParameterCodec, ParameterType } from '../../../../src/messages/index.js';

describe('the parameters of the lab control', () => {
  const cases: [ParameterValue, number, Record<string, unknown>][] = [
    [{ type: 'bool', value: true }, ParameterType.Bool, { value_bool: true }],
    [{ type: 'int32', value: -3 }, ParameterType.Int32, { values_int32: [-3] }],
    [{ type: 'uint64', value: 400n }, ParameterType.UInt64, { value_uint64_t: 400n }],
    [{ type: 'double', value: 0.5 }, ParameterType.Double, { values_double: [0.5] }],
    [{ type: 'string', value: 'x' }, ParameterType.String, { value_string: 'x' }],
    [{ type: 'int32s', value: [1, 2] }, ParameterType.Vector_Int32, { values_int32: [1, 2] }],
    [{ type: 'doubles', value: [1.5] }, ParameterType.Vector_Double, { values_double: [1.5] }],
  ];

  it.each(cases)('travel as %o in the one field of their type', (value, type, field) => {
    expect(parameterMessage('p', value)).toEqual({
      ...ParameterCodec.zero(),
      name: 'p',
      type,
      ...field,
    });
  });

  it('that the original middleware asks for have the types that it waits for', () => {
    const { middleware_period_ms, active_vehicle_ids } = middlewareParameters(400n, [1, 2]);
    expect(middleware_period_ms).toEqual({ type: 'uint64', value: 400n });
    expect(active_vehicle_ids).toEqual({ type: 'int32s', value: [1, 2] });
  });

  it('are answered by name, and only those that are known', () => {
    const table = new ParameterTable();
    table.set('p', { type: 'bool', value: true });
    expect(table.request('p')?.name).toBe('p');
    expect(table.request('q')).toBeUndefined();
  });

  it('can leave requests unanswered, counted anew when they are set again', () => {
    const table = new ParameterTable();
    const parameter = { type: 'int32', value: 1, unansweredRequests: 2 } as const;
    for (let round = 0; round < 2; round++) {
      table.set('p', parameter);
      expect(table.request('p')).toBeUndefined();
      expect(table.request('p')).toBeUndefined();
      expect(table.request('p')?.values_int32).toEqual([1]);
    }
  });

  it('are refused at once when the value does not fit the type', () => {
    const table = new ParameterTable();
    expect(() => table.set('p', { type: 'int32', value: 0.5 })).toThrow(RangeError);
    expect(table.request('p')).toBeUndefined();
  });
});
