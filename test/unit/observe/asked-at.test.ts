import { expect, it } from 'vitest';
import { askedAtNs } from '../../../src/observe/page/asked-at.js';

it('the instant of a request is that of the newest update and the time since then', () => {
  const newest = { sentAtMs: 5_000_000_000.25, receivedAt: 70 };
  expect(askedAtNs(newest, 70)).toBe('5000000000250000');
  expect(askedAtNs(newest, 3070.5)).toBe('5000003000750000');
});

it('is a time that the observer can read before the first update, too', () => {
  expect(askedAtNs({ sentAtMs: 0, receivedAt: 0 }, 1.5)).toBe('1500000');
  expect(askedAtNs({ sentAtMs: 0, receivedAt: 9 }, 0)).toBe('0000');
});
