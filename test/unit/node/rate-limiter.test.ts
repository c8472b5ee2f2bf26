import { expect, it } from 'vitest';
import { RateLimiter } from '../../../src/node/observers/rate-limiter.js';

const second = 1_000_000_000n;

it('passes one of many equal warnings per interval, with the number of those before', () => {
  const limiter = new RateLimiter(second);
  expect(limiter.pass('a', 0n)).toBe(0);
  expect(limiter.pass('a', 1n)).toBeUndefined();
  expect(limiter.pass('a', second - 1n)).toBeUndefined();
  expect(limiter.pass('a', second)).toBe(2);
  expect(limiter.pass('a', 2n * second)).toBe(0);
});

it('counts each warning on its own', () => {
  const limiter = new RateLimiter(second);
  expect(limiter.pass('a', 0n)).toBe(0);
  expect(limiter.pass('b', 0n)).toBe(0);
  expect(limiter.pass('a', 1n)).toBeUndefined();
});

it('forgets the oldest warning beyond its capacity', () => {
  const limiter = new RateLimiter(second, 2);
  for (const key of ['a', 'b', 'c']) limiter.pass(key, 0n);
  expect(limiter.pass('b', 1n)).toBeUndefined();
  expect(limiter.pass('a', 1n)).toBe(0);
});
