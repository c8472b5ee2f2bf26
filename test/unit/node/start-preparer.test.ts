import { describe, expect, it } from 'vitest';
import type { TransportWriter } from '../../../src/core/ports/index.js';
import type { Pacer, PreparedStart } from '../../../src/dds/index.js';
import { VehicleStateListCodec } from '../../../src/messages/index.js';
import type { RealSession } from '../../../src/node/session-factory.js';
import { StartPreparer } from '../../../src/node/start-preparer.js';

const ms = 1_000_000n;

/** One whose session expects a start signal of time 7 at an instant. */
function preparerFor(periodNs: bigint, dueAtNs: bigint, startsLeft = Number.POSITIVE_INFINITY) {
  const prepared: PreparedStart[] = [];
  const claims: [bigint, number][] = [];
  const expected = { tNowNs: 7n, dueAtNs };
  const session = {
    expectedStart: expected as typeof expected | null,
    startsLeft,
    expectedSignal: () => ({
      tNowNs: expected.tNowNs,
      periodNs,
      states: [],
      observations: [],
      activeVehicleIds: [3],
    }),
  };
  let possible = true;
  const pacer = {
    prepareStart: (_: TransportWriter, start: PreparedStart) => {
      prepared.push({ ...start, sample: start.sample.slice() });
      return possible;
    },
    claim: (atNs: bigint, left: number) => {
      claims.push([atNs, left]);
      return false;
    },
  };
  const preparer = new StartPreparer({
    session: session as unknown as RealSession,
    pacer: pacer as unknown as Pacer,
    writer: {} as TransportWriter,
    periodNs,
    absentVehicles: 'omit',
  });
  return {
    preparer,
    session,
    expected,
    prepared,
    claims,
    refuse: () => {
      possible = false;
    },
  };
}

describe('the next start signal', () => {
  it('is prepared 2 ms before it is due, once', () => {
    const { preparer, prepared, expected } = preparerFor(50n * ms, 100n * ms);
    expect(preparer.prepareAtNs).toBe(98n * ms);
    preparer.prepare(97n * ms);
    expect(prepared).toEqual([]);
    // The clocks are looked at again, and say almost the same.
    preparer.prepare(98n * ms - 1000n);
    preparer.prepare(99n * ms);
    expect(prepared).toHaveLength(1);
    expect(prepared[0]).toMatchObject({ tNowNs: 7n, dueAtNs: 100n * ms, periodNs: 50n * ms });
    const { t_now, active_vehicle_ids } = VehicleStateListCodec.decode(
      prepared[0]?.sample ?? new Uint8Array(),
    );
    expect([t_now, active_vehicle_ids]).toEqual([7n, [3]]);
    expect(preparer.prepareAtNs).toBeNull();

    expected.tNowNs = 8n;
    expected.dueAtNs = 150n * ms;
    expect(preparer.prepareAtNs).toBe(148n * ms);
  });

  it('is repeated when that is 1 ms late, for a second at most', () => {
    const { preparer, prepared } = preparerFor(50n * ms, 0n);
    preparer.prepare(0n);
    expect(prepared[0]).toMatchObject({ graceNs: ms, left: 20 });
  });

  it('has less time of a short period', () => {
    const { preparer, prepared } = preparerFor(4n * ms, 100n * ms);
    expect(preparer.prepareAtNs).toBe(99n * ms);
    preparer.prepare(99n * ms);
    expect(prepared[0]).toMatchObject({ graceNs: 400_000n, left: 250 });
  });

  it('is sent once at least, however long the period is', () => {
    const { preparer, prepared } = preparerFor(5000n * ms, 0n);
    preparer.prepare(0n);
    expect(prepared[0]?.left).toBe(1);
  });

  it('is not sent more often than there are periods left', () => {
    const { preparer, prepared, claims } = preparerFor(50n * ms, 100n * ms, 3);
    preparer.prepare(98n * ms);
    expect(prepared[0]?.left).toBe(3);
    preparer.claim(100n * ms);
    expect(claims).toEqual([[100n * ms, 2]]);
  });

  it('is claimed only when it is due', () => {
    const { preparer, claims, session } = preparerFor(50n * ms, 100n * ms);
    expect(preparer.claim(99n * ms)).toBe(true);
    expect(claims).toEqual([]);
    expect(preparer.claim(100n * ms)).toBe(false);
    session.expectedStart = null;
    expect(preparer.claim(100n * ms)).toBe(true);
    expect(preparer.prepareAtNs).toBeNull();
  });

  it('is not prepared again where the pacer cannot write', () => {
    const { preparer, refuse, expected } = preparerFor(50n * ms, 100n * ms);
    refuse();
    preparer.prepare(98n * ms);
    expected.tNowNs = 8n;
    expect(preparer.prepareAtNs).toBeNull();
  });
});
