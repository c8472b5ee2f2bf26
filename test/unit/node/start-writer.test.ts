import { expect, it } from 'vitest';
import type { SentSlot, TimedPlan } from '../../../src/dds/index.js';
import { StartWriter } from '../../../src/node/middleware/start-writer.js';

/** The pacer has written this slot for an earlier session of the process. */
const lastOfBefore = 41;

it('continues the slots of a pacer that an earlier session has used', () => {
  let last = lastOfBefore;
  let reportSent: (sent: SentSlot) => void = () => undefined;
  const plans: TimedPlan[] = [];
  const sent: number[] = [];
  const writer = new StartWriter({
    timedWriter: {
      schedule: (plan) => plans.push(plan) > 0,
      lastIndex: () => last,
      cancel: () => undefined,
      onSent: (listener) => (reportSent = listener),
    },
    writer: {} as never,
    clocks: { monotonicNs: () => 0n, realtimeNs: () => 0n },
    absentVehicles: 'omit',
    onSent: ({ index }) => void sent.push(index),
    attempt: () => true,
  });
  expect(writer.isAhead).toBe(false);
  const first = { index: 0, tNowNs: 0n, notBeforeNs: 0n, notAfterNs: 1n };
  writer.prepare({
    kind: 'prepareStart',
    ...{ tNowNs: 0n, periodNs: 1n, activeVehicleIds: [], states: [], observations: [], plan: 1 },
    slots: { first, standIns: 0, periodNs: 1n, graceNs: 0n },
  });
  expect(plans.map(({ slot }) => slot.index)).toEqual([lastOfBefore + 1]);
  last = lastOfBefore + 1;
  expect(writer.isAhead).toBe(true);
  const slot = { plan: 1, value: 0n, monotonicNs: 0n, realtimeNs: 0n };
  reportSent({ ...slot, index: lastOfBefore });
  reportSent({ ...slot, index: lastOfBefore + 1 });
  expect(sent).toEqual([0]);
  expect(writer.isAhead).toBe(false);
});
