import { describe, expect, it } from 'vitest';
import { perController } from '../../../src/config/options/per-controller.js';
import { milliseconds, oneOf, wholeNumber } from '../../../src/config/options/value-types.js';

const policy = perController(oneOf(['log', 'hold', 'stop']), 'stop,3:hold');

describe('a value with exceptions for single vehicles', () => {
  it('holds for all but those', () => {
    const value = policy.schema.parse('stop,3:hold, 0:log,255:log');
    expect([1, 3, 0, 255, 254].map((id) => value.of(id))).toEqual([
      'stop',
      'hold',
      'log',
      'log',
      'stop',
    ]);
    expect(String(policy.schema.parse('log'))).toBe('log');
  });

  it('is made of values of its own kind', () => {
    const grace = perController(milliseconds(0n, 1_000_000_000n), '0,5:200').schema;
    expect(grace.parse('0,5:200.5').of(5)).toBe(200_500_000n);
    const limit = perController(wholeNumber(1, 10), '3,5:10').schema;
    expect(limit.parse('3,5:10').of(5)).toBe(10);
    expect(limit.safeParse('3,5:11').success).toBe(false);
  });

  it.each([
    '',
    'never',
    '3:hold',
    'stop,hold',
    'stop,3:never',
    'stop,256:hold',
    'stop,03:hold',
    'stop,-1:hold',
    'stop,3:hold,3:log',
    'stop,',
    'stop,3:',
    'stop;3:hold',
  ])('is not %j', (text) => {
    expect(policy.schema.safeParse(text).success).toBe(false);
  });
});
