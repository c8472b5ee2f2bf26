import { describe, expect, it } from 'vitest';
import type { TransportWriter } from '../../../src/core/ports/index.js';
import type { Pacer, StandIn } from '../../../src/dds/index.js';
import { VehicleStateListCodec } from '../../../src/messages/index.js';
import type { RealSession } from '../../../src/node/session-factory.js';
import { StandInKeeper } from '../../../src/node/stand-in.js';

const ms = 1_000_000n;

/** A keeper whose session expects a start signal of time 7 at an instant. */
function keeperFor(periodNs: bigint, dueAtNs: bigint, startsLeft = Number.POSITIVE_INFINITY) {
  const prepared: StandIn[] = [];
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
    prepareStandIn: (_: TransportWriter, standIn: StandIn) => {
      prepared.push({ ...standIn, sample: standIn.sample.slice() });
      return possible;
    },
    claim: (atNs: bigint, left: number) => {
      claims.push([atNs, left]);
      return false;
    },
  };
  const keeper = new StandInKeeper({
    session: session as unknown as RealSession,
    pacer: pacer as unknown as Pacer,
    writer: {} as TransportWriter,
    periodNs,
    absentVehicles: 'omit',
  });
  return {
    keeper,
    session,
    expected,
    prepared,
    claims,
    refuse: () => {
      possible = false;
    },
  };
}

describe('the start signal that is ready for a stall', () => {
  it('is prepared 5 ms before it is due, once', () => {
    const { keeper, prepared, expected } = keeperFor(50n * ms, 100n * ms);
    expect(keeper.prepareAtNs).toBe(95n * ms);
    keeper.prepare(94n * ms);
    expect(prepared).toEqual([]);
    // The clocks are looked at again, and say almost the same.
    keeper.prepare(95n * ms - 1000n);
    keeper.prepare(96n * ms);
    expect(prepared).toHaveLength(1);
    expect(prepared[0]).toMatchObject({ tNowNs: 7n, dueAtNs: 100n * ms, periodNs: 50n * ms });
    const { t_now, active_vehicle_ids } = VehicleStateListCodec.decode(
      prepared[0]?.sample ?? new Uint8Array(),
    );
    expect([t_now, active_vehicle_ids]).toEqual([7n, [3]]);
    expect(keeper.prepareAtNs).toBeNull();

    expected.tNowNs = 8n;
    expected.dueAtNs = 150n * ms;
    expect(keeper.prepareAtNs).toBe(145n * ms);
  });

  it('is sent when it is 1 ms late, for a second at most', () => {
    const { keeper, prepared } = keeperFor(50n * ms, 0n);
    keeper.prepare(0n);
    expect(prepared[0]).toMatchObject({ graceNs: ms, left: 20 });
  });

  it('has less time of a short period', () => {
    const { keeper, prepared } = keeperFor(4n * ms, 100n * ms);
    expect(keeper.prepareAtNs).toBe(99n * ms);
    keeper.prepare(99n * ms);
    expect(prepared[0]).toMatchObject({ graceNs: 400_000n, left: 250 });
  });

  it('is sent once at least, however long the period is', () => {
    const { keeper, prepared } = keeperFor(5000n * ms, 0n);
    keeper.prepare(0n);
    expect(prepared[0]?.left).toBe(1);
  });

  it('is not sent more often than there are periods left', () => {
    const { keeper, prepared, claims } = keeperFor(50n * ms, 100n * ms, 3);
    keeper.prepare(95n * ms);
    expect(prepared[0]?.left).toBe(3);
    keeper.claim(100n * ms);
    expect(claims).toEqual([[100n * ms, 2]]);
  });

  it('is claimed only when it is due', () => {
    const { keeper, claims, session } = keeperFor(50n * ms, 100n * ms);
    expect(keeper.claim(99n * ms)).toBe(true);
    expect(claims).toEqual([]);
    expect(keeper.claim(100n * ms)).toBe(false);
    session.expectedStart = null;
    expect(keeper.claim(100n * ms)).toBe(true);
    expect(keeper.prepareAtNs).toBeNull();
  });

  it('is not prepared again where the pacer cannot write', () => {
    const { keeper, refuse, expected } = keeperFor(50n * ms, 100n * ms);
    refuse();
    keeper.prepare(95n * ms);
    expected.tNowNs = 8n;
    expect(keeper.prepareAtNs).toBeNull();
  });
});
