import { expect, it } from 'vitest';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { SessionView } from '../../../src/node/observers/session-view.js';
import { LockStepBench, stepTime } from '../core/lock-step-bench.js';

const ms = 1_000_000n;

/** What people see of a session whose two controllers are ready, and whose time comes from the lab. */
function shown() {
  const bench = new LockStepBench({ timeSource: { kind: 'lab' } });
  const view = new SessionView({
    nodeId: 'a',
    periodNs: 50n * ms,
    session: { mode: 'simulated', session: bench.session } as never,
    statistics: new RunStatistics([1, 2]),
    clocks: { monotonicNs: () => bench.nowNs, realtimeNs: () => bench.nowNs },
  });
  bench.ready(1, 2);
  return {
    bench,
    view,
    phases: () => [bench.session.phase, view.view().phase, view.status().phase],
    trigger: (timeNs: bigint) => {
      const now = { monotonicNs: bench.nowNs, realtimeNs: bench.nowNs };
      for (const effect of bench.trigger(timeNs)) view.effect(effect as never, {} as never, now);
    },
  };
}

it('a session whose steps follow each other is running, whatever it waits for within a step', () => {
  const { bench, phases, trigger } = shown();
  expect(phases()).toEqual(['waitingForTrigger', 'waitingForTrigger', 'waitingForTrigger']);
  trigger(stepTime(0));
  expect(phases()).toEqual(['working', 'running', 'running']);
  for (const id of [1, 2]) bench.reply(id, stepTime(0));
  expect(phases()).toEqual(['waitingForTrigger', 'running', 'running']);
  // The lab stands still: the user sees why.
  bench.nowNs += 2001n * ms;
  expect(phases()).toEqual(['waitingForTrigger', 'waitingForTrigger', 'waitingForTrigger']);
  trigger(stepTime(1));
  expect(phases()).toEqual(['working', 'running', 'running']);
  bench.nowNs += 2001n * ms;
  expect(phases()).toEqual(['working', 'working', 'working']);
});

it('a session that a user paused is paused at once', () => {
  const { bench, phases, trigger } = shown();
  trigger(stepTime(0));
  bench.control({ kind: 'pause' });
  for (const id of [1, 2]) bench.reply(id, stepTime(0));
  expect(phases()).toEqual(['paused', 'paused', 'paused']);
});

it('a session that waited in vain names the controllers for which it waited last', () => {
  const { view } = shown();
  const now = { monotonicNs: 0n, realtimeNs: 0n };
  const missing = { kind: 'controllersMissing', waitedNs: 2000n * ms } as const;
  const see = (effect: object) => {
    view.effect(effect as never, {} as never, now);
  };
  see({ ...missing, awaited: 'readySignal', ids: [1, 2] });
  // It was there, and is gone again: its state is not "absent".
  see({ ...missing, awaited: 'readySignal', ids: [2] });
  see({ ...missing, awaited: 'reply', ids: [1] });
  expect(view.readiness()).toEqual({ absent: [2], otherIds: [] });
});
