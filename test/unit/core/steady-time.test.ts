import { expect, it } from 'vitest';
import { SteadyTime } from '../../../src/core/steady-time.js';

it('runs with the faster one of two clocks, and never stands', () => {
  const time = new SteadyTime(100n, 1000n);
  expect(time.momentAt(1010n, 105n)).toEqual({ steadyNs: 110n, stampNs: 105n });
  expect(time.momentAt(1011n, 125n)).toEqual({ steadyNs: 130n, stampNs: 125n });
  expect(time.momentAt(1005n, 125n)).toEqual({ steadyNs: 130n, stampNs: 125n });
  expect(time.realTimeOf(135n)).toBe(1016n);
});

it('is the same for later events whether somebody asked for it in between or not', () => {
  const [asked, other] = [new SteadyTime(100n, 1000n), new SteadyTime(100n, 1000n)];
  expect(asked.peekAt(1010n, 105n)).toEqual({ steadyNs: 110n, stampNs: 105n });
  expect(asked.momentAt(1011n, 125n)).toEqual(other.momentAt(1011n, 125n));
});
