import { expect, it } from 'vitest';
import type { GuardStop } from '../../../src/core/index.js';
import { GuardTakeOver } from '../../../src/node/middleware/guard-take-over.js';

function stop(id: number, number: bigint): GuardStop {
  const sent = { kinds: [], newestCreateNs: 0n, newestValidNs: 0n, obeyedUntilNs: null };
  return { id, number, ...sent, speedMps: 0 };
}

/** A middleware that has commanded the vehicles 1 and 2, and what it did. */
function middleware() {
  const did: string[] = [];
  let isBehind = false;
  const takeOver = new GuardTakeOver({
    isBehind: () => isBehind,
    commandedIds: () => [1, 2],
    stop: (stops) => did.push(...stops.map(({ id, number }) => `${id} ${number}`)),
    onTaken: () => did.push('taken'),
  });
  return { takeOver, did, fallBehind: (value: boolean) => (isBehind = value) };
}

it('stops the vehicles that it has commanded, and says so after that, once', () => {
  const { takeOver, did } = middleware();
  takeOver.guardStops(7n, [stop(1, 1n), stop(9, 2n)]);
  takeOver.guardStops(7n, [stop(1, 1n)]);
  expect(did).toEqual(['1 1', 'taken']);
});

it('waits after a stall, and then takes over what each guard said last', () => {
  const { takeOver, did, fallBehind } = middleware();
  fallBehind(true);
  takeOver.guardStops(7n, [stop(1, 1n)]);
  takeOver.guardStops(8n, [stop(2, 4n)]);
  takeOver.guardStops(7n, [stop(1, 1n), stop(2, 2n)]);
  expect(did).toEqual([]);
  fallBehind(false);
  takeOver.release();
  takeOver.release();
  expect(did).toEqual(['1 1', '2 2', 'taken', '2 4', 'taken']);
});
