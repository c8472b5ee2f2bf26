import { expect, it } from 'vitest';
import type { MiddlewareReport } from '../../../src/core/index.js';
import { topics } from '../../../src/messages/index.js';
import { middlewareReportOf, middlewareStatusOf } from '../../../src/sides/middleware-status.js';

const report: MiddlewareReport = {
  sourceId: 'middleware',
  epoch: 1n,
  tNowNs: 2n,
  periodNs: 3n,
  simulatedTime: true,
  phase: 'stopping',
  vehicles: [
    {
      id: 1,
      kinds: ['direct', 'pathTracking'],
      newestCreateNs: 4n,
      newestValidNs: 5n,
      obeyedUntilNs: 6n,
    },
    {
      id: 255,
      kinds: ['speedCurvature', 'trajectory'],
      newestCreateNs: 0n,
      newestValidNs: 0n,
      obeyedUntilNs: null,
    },
  ],
  takenOver: [{ guard: 7n, id: 8, number: 9n }],
};

it('a status says on the wire what it said before', () => {
  const { codec } = topics.middlewareStatus;
  for (const phase of ['waiting', 'running', 'stopping', 'ended'] as const) {
    const bytes = codec.encode(middlewareStatusOf({ ...report, phase }));
    expect(middlewareReportOf(codec.decode(bytes))).toEqual({ ...report, phase });
  }
});

it('a vehicle that was not commanded has stamps of 0', () => {
  const idle = { id: 2, kinds: [], newestCreateNs: -1n, newestValidNs: -1n, obeyedUntilNs: null };
  const { vehicles } = middlewareStatusOf({ ...report, vehicles: [idle] });
  const zero = { nanoseconds: 0n };
  expect(vehicles).toEqual([
    { vehicle_id: 2, kinds: 0, create_stamp: zero, valid_after_stamp: zero, obeyed_until: zero },
  ]);
});
