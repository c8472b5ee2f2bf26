import { expect, it } from 'vitest';
import { type GuardStop, TakenOverStops } from '../../../../src/core/index.js';

const sent = { kinds: [], newestCreateNs: -1n, newestValidNs: -1n, obeyedUntilNs: null };

function stop(id: number, number: bigint): GuardStop {
  return { id, ...sent, number, speedMps: 0 };
}

it('takes each stop of each guard over once', () => {
  const stops = new TakenOverStops();
  const first = stop(1, 5n);
  expect(stops.takeOver(1n, [first])).toEqual([first]);
  expect(stops.takeOver(2n, [first])).toEqual([first]);
  expect(stops.takeOver(1n, [first])).toEqual([]);
  const others = [stop(1, 6n), stop(2, 7n)];
  expect(stops.takeOver(1n, others)).toEqual(others);
  expect(stops.all).toEqual([
    { guard: 2n, id: 1, number: 5n },
    { guard: 1n, id: 1, number: 6n },
    { guard: 1n, id: 2, number: 7n },
  ]);
});

it('remembers as many as fit into a status', () => {
  const stops = new TakenOverStops();
  for (let guard = 0n; guard < 300n; guard++) stops.takeOver(guard, [stop(1, 1n)]);
  expect(stops.all).toHaveLength(256);
  expect(stops.all.at(-1)?.guard).toBe(299n);
});
