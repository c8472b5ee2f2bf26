import { describe, expect, it } from 'vitest';
import {
  type ControllerView,
  type NodeView,
  renderTable,
  statusLine,
} from '../../../src/node/middleware/node-view.js';

const working: ControllerView = {
  id: 1,
  state: 'working',
  latched: false,
  stopping: false,
  lastReplyAgeMs: 12.4,
  replies: 20,
  misses: 0,
};
const view: NodeView = {
  phase: 'waitingForControllers',
  startSignals: 21,
  skippedPeriods: 2,
  lateness: { p50: 10, p99: 200, max: 1500 },
  lastLatenessUs: 40,
  controllers: [
    working,
    { ...working, id: 12, state: 'dead', latched: true, lastReplyAgeMs: undefined },
    { ...working, id: 7, state: 'dead', latched: true, stopping: true },
  ],
};

describe('the live table', () => {
  const [head = '', empty, columns, ...rows] = renderTable(view).split('\n');

  it('begins with the phase in words, the start signals and the lateness in milliseconds', () => {
    expect(head).toBe(
      'waiting for controllers   start signals 21   skipped 2   late by 0.040 ms (p50 0.010 ms, p99 0.200 ms, max 1.500 ms)',
    );
    expect(empty).toBe('');
  });

  it('has one row per controller below its columns', () => {
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['1', 'working', '12 ms ago', '20', '0'],
      ['12', 'dead (stopped)', '-', '20', '0'],
      ['7', 'dead (stopping)', '12 ms ago', '20', '0'],
    ]);
    expect(new Set([columns, ...rows].map((row) => row?.length)).size).toBe(1);
  });
});

describe('the status line', () => {
  it('says the same on one line', () => {
    expect(statusLine(view)).toBe(
      'waiting for controllers: 21 start signals, 2 skipped, late by 0.040 ms; controllers: 1 working, 20 replies, 0 misses; 12 dead (stopped), 20 replies, 0 misses; 7 dead (stopping), 20 replies, 0 misses',
    );
  });

  it('has the singular for one', () => {
    const controllers = [{ ...working, replies: 1, misses: 1 }];
    expect(statusLine({ ...view, startSignals: 1, controllers })).toBe(
      'waiting for controllers: 1 start signal, 2 skipped, late by 0.040 ms; controllers: 1 working, 1 reply, 1 miss',
    );
  });
});
