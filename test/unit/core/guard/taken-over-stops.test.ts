import { expect, it } from 'vitest';
import { TakenOverStops } from '../../../../src/core/index.js';

it('takes each stop of each guard over once', () => {
  const stops = new TakenOverStops();
  const first = { id: 1, number: 5n };
  expect(stops.takeOver(1n, [first])).toEqual([1]);
  expect(stops.takeOver(2n, [first])).toEqual([1]);
  expect(stops.takeOver(1n, [first])).toEqual([]);
  expect(
    stops.takeOver(1n, [
      { id: 1, number: 6n },
      { id: 2, number: 7n },
    ]),
  ).toEqual([1, 2]);
  expect(stops.all).toEqual([
    { guard: 2n, id: 1, number: 5n },
    { guard: 1n, id: 1, number: 6n },
    { guard: 1n, id: 2, number: 7n },
  ]);
});

it('remembers as many as fit into a status', () => {
  const stops = new TakenOverStops();
  for (let guard = 0n; guard < 300n; guard++) stops.takeOver(guard, [{ id: 1, number: 1n }]);
  expect(stops.all).toHaveLength(256);
  expect(stops.all.at(-1)?.guard).toBe(299n);
});
