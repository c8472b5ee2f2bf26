import { describe, expect, it } from 'vitest';
import type { TransportWriter } from '../../../src/core/ports/index.js';
import type { SentSlot, TimedPlan, TimedWriter } from '../../../src/dds/index.js';
import { VehicleStateListCodec } from '../../../src/messages/index.js';
import type { RealSession } from '../../../src/node/session-factory.js';
import { isRepeated, StartPreparer } from '../../../src/node/start-preparer.js';

const ms = 1_000_000n;

/** One whose session expects a start signal of time 7 at an instant. */
function preparerFor(periodNs: bigint, dueAtNs: bigint, startsLeft = Number.POSITIVE_INFINITY) {
  const plans: TimedPlan[] = [];
  let cancelled = 0;
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
  const timedWriter: TimedWriter = {
    schedule: (plan) => {
      plans.push({ ...plan, bytes: plan.bytes.slice() });
      return possible;
    },
    cancel: () => {
      cancelled++;
    },
    onSent: () => undefined,
  };
  const preparer = new StartPreparer({
    session: session as unknown as RealSession,
    timedWriter,
    writer: {} as TransportWriter,
    periodNs,
    absentVehicles: 'omit',
  });
  return {
    preparer,
    session,
    expected,
    plans,
    cancelled: () => cancelled,
    refuse: () => {
      possible = false;
    },
  };
}

describe('the next start signal', () => {
  it('is prepared 2 ms before it is due, once', () => {
    const { preparer, plans, expected } = preparerFor(50n * ms, 100n * ms);
    expect(preparer.prepareAtNs).toBe(98n * ms);
    preparer.prepare(97n * ms);
    expect(plans).toEqual([]);
    // The clocks are looked at again, and say almost the same.
    preparer.prepare(98n * ms - 1000n);
    preparer.prepare(99n * ms);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatchObject({ patchOffset: 4 });
    expect(plans[0]?.slots[0]).toEqual({
      index: 0,
      notBeforeNs: 100n * ms,
      notAfterNs: 125n * ms,
      value: 7n,
    });
    const { t_now, active_vehicle_ids } = VehicleStateListCodec.decode(
      plans[0]?.bytes ?? new Uint8Array(),
    );
    expect([t_now, active_vehicle_ids]).toEqual([7n, [3]]);
    expect(preparer.prepareAtNs).toBeNull();

    expected.tNowNs = 8n;
    expected.dueAtNs = 150n * ms;
    expect(preparer.prepareAtNs).toBe(148n * ms);
  });

  it('is repeated when that is 1 ms late, for a second at most', () => {
    const { preparer, plans } = preparerFor(50n * ms, 0n);
    preparer.prepare(0n);
    expect(plans[0]?.slots).toHaveLength(20);
    expect(plans[0]?.slots[19]).toEqual({
      index: 39,
      notBeforeNs: 951n * ms,
      notAfterNs: 975n * ms,
      value: 7n + 950n * ms,
    });
  });

  it('has less time of a short period', () => {
    const { preparer, plans } = preparerFor(4n * ms, 100n * ms);
    expect(preparer.prepareAtNs).toBe(99n * ms);
    preparer.prepare(99n * ms);
    expect(plans[0]?.slots).toHaveLength(250);
    expect(plans[0]?.slots[1]?.notBeforeNs).toBe(104_400_000n);
  });

  it('is sent once at least, however long the period is', () => {
    const { preparer, plans } = preparerFor(5000n * ms, 0n);
    preparer.prepare(0n);
    expect(plans[0]?.slots).toHaveLength(1);
  });

  it('is not sent more often than there are periods left', () => {
    const { preparer, plans } = preparerFor(50n * ms, 100n * ms, 3);
    preparer.prepare(98n * ms);
    expect(plans[0]?.slots).toHaveLength(3);
  });

  it('has an index above its own repetition of an earlier plan, and below the next one', () => {
    const { preparer, plans, expected } = preparerFor(50n * ms, 100n * ms);
    preparer.prepare(100n * ms);
    Object.assign(expected, { tNowNs: 8n, dueAtNs: 150n * ms });
    preparer.prepare(150n * ms);
    // The wall clock is slewed, and two periods were left out.
    Object.assign(expected, { tNowNs: 9n, dueAtNs: 301n * ms });
    preparer.prepare(301n * ms);
    const indices = plans.map(({ slots }) => slots.slice(0, 3).map(({ index }) => index));
    expect(indices).toEqual([
      [0, 3, 5],
      [2, 5, 7],
      [8, 11, 13],
    ]);
    const sent = indices.flat().map((index) => isRepeated({ index } as SentSlot));
    expect(sent.slice(0, 3)).toEqual([false, true, true]);
  });

  it('is left to the pacer when it is due, and withdrawn when half of the period is over', () => {
    const { preparer, session, cancelled } = preparerFor(50n * ms, 100n * ms);
    preparer.prepare(99n * ms);
    expect(preparer.leavesToPacer(99n * ms)).toBe(false);
    expect(preparer.leavesToPacer(100n * ms)).toBe(true);
    expect(preparer.leavesToPacer(125n * ms)).toBe(true);
    expect(cancelled()).toBe(0);
    expect(preparer.leavesToPacer(126n * ms)).toBe(true);
    expect(cancelled()).toBe(1);
    expect(preparer.leavesToPacer(126n * ms)).toBe(false);
    expect(cancelled()).toBe(1);
    session.expectedStart = null;
    expect(preparer.leavesToPacer(126n * ms)).toBe(false);
    expect(preparer.prepareAtNs).toBeNull();
  });

  it('is not prepared again where the pacer cannot write', () => {
    const { preparer, refuse, expected } = preparerFor(50n * ms, 100n * ms);
    refuse();
    preparer.prepare(98n * ms);
    expect(preparer.leavesToPacer(100n * ms)).toBe(false);
    expected.tNowNs = 8n;
    expect(preparer.prepareAtNs).toBeNull();
  });
});
