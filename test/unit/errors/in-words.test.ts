import { expect, it } from 'vitest';

import { inMs } from '../../../src/errors/in-words.js';

it.each([
  [0n, '0'],
  [1n, '0.001'],
  [999_999n, '1'],
  [12_500_000n, '12.5'],
  [100_000_400n, '100.001'],
  [86_400_000_000_000n, '86400000'],
])('writes %d ns in ms, rounded up to 0.001', (ns, text) => {
  expect(inMs(ns)).toBe(text);
});
