import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ComputerBook } from '../../../../src/lab/control/computers.js';
import { LogBook } from '../../../../src/lab/control/log.js';
import {
  middlewareParameters,
  parameterMessage,
  ParameterTable,
  type ParameterValue,
} from '../../../../src/lab/control/parameters.js';
import { RoundTripMeter } from '../../../../src/lab/control/round-trip-meter.js';
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
    expect(table.request('p')?.message.name).toBe('p');
    expect(table.request('q')).toBeUndefined();
  });

  it('can leave requests unanswered, counted anew when they are set again', () => {
    const table = new ParameterTable();
    const parameter = { type: 'int32', value: 1, unansweredRequests: 2, delayNs: 5n } as const;
    for (let round = 0; round < 2; round++) {
      table.set('p', parameter);
      expect(table.request('p')).toBeUndefined();
      expect(table.request('p')).toBeUndefined();
      expect(table.request('p')?.delayNs).toBe(5n);
    }
  });

  it('are refused at once when the value does not fit the type', () => {
    const table = new ParameterTable();
    expect(() => table.set('p', { type: 'int32', value: 0.5 })).toThrow(RangeError);
    expect(table.request('p')).toBeUndefined();
  });
});

describe('the round trip meter', () => {
  it('gives the first and the last answer of each source', () => {
    const meter = new RoundTripMeter();
    const count = meter.begin(1000n);
    expect(meter.answer('vehicle', count, 1010n)).toBe(true);
    expect(meter.answer('hlc', count, 1015n)).toBe(true);
    expect(meter.answer('vehicle', count, 1030n)).toBe(true);
    expect(meter.end()).toEqual([
      { sourceId: 'vehicle', bestNs: 10n, worstNs: 30n, answers: 2 },
      { sourceId: 'hlc', bestNs: 15n, worstNs: 15n, answers: 1 },
    ]);
  });

  it('takes no answer to another question, and none when no question is open', () => {
    const meter = new RoundTripMeter();
    expect(meter.answer('hlc', 0, 1n)).toBe(false);
    const count = meter.begin(1n);
    expect(meter.answer('hlc', count - 1, 2n)).toBe(false);
    expect(meter.end()).toEqual([]);
    expect(meter.answer('hlc', count, 3n)).toBe(false);
  });

  it('forgets the answers to the question before', () => {
    const meter = new RoundTripMeter();
    meter.answer('hlc', meter.begin(0n), 1n);
    meter.begin(10n);
    expect(meter.end()).toEqual([]);
  });

  it('numbers its questions from 1 to 255 and goes on with 0', () => {
    const meter = new RoundTripMeter();
    const counts = Array.from({ length: 257 }, () => meter.begin(0n));
    expect(counts.slice(0, 2)).toEqual([1, 2]);
    expect(counts.slice(-3)).toEqual([255, 0, 1]);
  });
});

describe('the computers of the lab control', () => {
  const hello = (source_id: string) => ({
    source_id,
    script_running: true,
    middleware_running: false,
  });

  it('are online for 3 s after a hello', () => {
    const computers = new ComputerBook();
    computers.hello(hello('13'), 100n);
    const computer = {
      id: 13,
      scriptRunning: true,
      middlewareRunning: false,
      lastHeardNs: 100n,
    };
    expect(computers.online(3_000_000_099n)).toEqual([computer]);
    expect(computers.online(3_000_000_100n)).toEqual([]);
  });

  it('are listed by their ids', () => {
    const computers = new ComputerBook();
    for (const id of ['13', '2', '013']) computers.hello(hello(id), 0n);
    expect(computers.online(0n).map(({ id }) => id)).toEqual([2, 13]);
  });

  it('have a number from 0 to 255 as their source id, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(999).map(String), fc.string()), (sourceId) => {
        const valid = /^[0-9]{1,3}$/.test(sourceId) && Number(sourceId) <= 255;
        const id = new ComputerBook().hello(hello(sourceId), 0n)?.id;
        expect(id).toBe(valid ? Number(sourceId) : undefined);
      }),
    );
    expect(new ComputerBook().hello(hello('256'), 0n)).toBeUndefined();
    expect(new ComputerBook().hello(hello('13\n'), 0n)).toBeUndefined();
  });
});

describe('the log book', () => {
  const entry = (content: string, log_level: number) => ({
    id: 'middleware',
    content,
    stamp: { nanoseconds: 0n },
    log_level,
  });

  it('gives the entries up to a level in the order of their arrival', () => {
    const logs = new LogBook();
    for (const [i, level] of [2, 1, 3, 1].entries()) logs.add(entry(`${i}`, level));
    expect(logs.entries(1).map(({ content }) => content)).toEqual(['1', '3']);
    expect(logs.entries().map(({ content }) => content)).toEqual(['0', '1', '2', '3']);
    expect(logs.entries(0)).toEqual([]);
  });

  it('keeps the newest 10,000', () => {
    const logs = new LogBook();
    for (let i = 0; i <= 10_000; i++) logs.add(entry(`${i}`, 1));
    const kept = logs.entries();
    expect(kept).toHaveLength(10_000);
    expect(kept[0]?.content).toBe('1');
  });
});
