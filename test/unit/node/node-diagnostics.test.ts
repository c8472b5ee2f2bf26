import { describe, expect, it } from 'vitest';
import {
  diagnosticsKey,
  nodeDiagnostics,
  type NodeCondition,
} from '../../../src/node/middleware/node-diagnostics.js';
import type { ControllerView, NodeView } from '../../../src/node/middleware/node-view.js';
import { DiagnosticLevel } from '../../../src/ros2/index.js';

const { ok, warn, error, stale } = DiagnosticLevel;

const controller = (given: Partial<ControllerView> = {}): ControllerView => ({
  id: 1,
  state: 'ready',
  latched: false,
  stopping: false,
  lastReplyAgeMs: 20,
  replies: 7,
  misses: 2,
  ...given,
});

const view = (...controllers: ControllerView[]): NodeView => ({
  phase: 'running',
  startSignals: 9,
  skippedPeriods: 4,
  lateness: { p50: 1.25, p99: 2, max: 3 },
  lastLatenessUs: 1,
  controllers,
});

const condition = (given: Partial<NodeCondition> = {}): NodeCondition => ({
  name: '/lab/mw',
  state: 'active',
  failure: undefined,
  view: view(controller()),
  periodNs: 50_000_000n,
  skippedLately: 0,
  ...given,
});

/** Level and message of the only controller. */
function finding(given: Partial<ControllerView>, periodNs: bigint | null = 50_000_000n) {
  const [, status] = nodeDiagnostics(condition({ view: view(controller(given)), periodNs }));
  return [status?.level, status?.message];
}

describe('the status of a controller', () => {
  it('has its figures, and a name that is its own', () => {
    const [, status] = nodeDiagnostics(condition());
    expect(status).toEqual({
      level: ok,
      name: 'lab/mw: controller 1',
      message: 'replies',
      hardwareId: 'lab/mw',
      values: { state: 'ready', replies: '7', misses: '2', last_reply_age_ms: '20' },
    });
  });

  it('is fine while it replies', () => {
    expect(finding({ state: 'working' })).toEqual([ok, 'replies']);
    for (const state of ['ready', 'working'] as const) {
      expect(finding({ state, lastReplyAgeMs: undefined })).toEqual([ok, 'ready']);
    }
  });

  it('is stale before its first ready signal', () => {
    expect(finding({ state: 'absent', lastReplyAgeMs: undefined })).toEqual([
      stale,
      'no ready signal yet',
    ]);
  });

  it('is a warning while it is late, and stale once it is silent for more than three periods', () => {
    expect(finding({ state: 'late', lastReplyAgeMs: 150 })).toEqual([warn, 'late']);
    expect(finding({ state: 'late', lastReplyAgeMs: 150.1 })).toEqual([stale, 'silent']);
    expect(finding({ state: 'late', lastReplyAgeMs: undefined })).toEqual([stale, 'silent']);
  });

  it('is never silent in simulated time, which may stand', () => {
    expect(finding({ state: 'late', lastReplyAgeMs: 99_999 }, null)).toEqual([warn, 'late']);
  });

  it('is an error when it is out, and says what becomes of its vehicle', () => {
    expect(finding({ state: 'dead' })).toEqual([error, 'gone, dropped or stopped']);
    expect(finding({ state: 'dead', stopping: true, latched: true })).toEqual([
      error,
      'its vehicle is being stopped',
    ]);
    expect(finding({ state: 'rejoining', latched: true })).toEqual([
      error,
      'stopped until it is resumed',
    ]);
  });

  it('is a warning while it is back and waits for a start signal', () => {
    expect(finding({ state: 'rejoining' })).toEqual([warn, 'back, not served yet']);
  });
});

describe('the status of the node', () => {
  const statusOf = (given: Partial<NodeCondition>) => nodeDiagnostics(condition(given))[0];

  it('has the phase and the figures of the session', () => {
    expect(statusOf({})).toEqual({
      level: ok,
      name: 'lab/mw: middleware',
      message: 'running',
      hardwareId: 'lab/mw',
      values: {
        state: 'active',
        phase: 'running',
        start_signals: '9',
        skipped_periods: '4',
        lateness_p50_us: '1.3',
        lateness_p99_us: '2.0',
        lateness_max_us: '3.0',
      },
    });
  });

  it('is a warning for a second after whole periods were left out', () => {
    expect(statusOf({ skippedLately: 2 })).toMatchObject({
      level: warn,
      message: 'running, late for whole periods',
    });
  });

  it('stands alone without a session, and says why there is none', () => {
    const idle = condition({ state: 'inactive', view: undefined });
    expect(nodeDiagnostics(idle)).toEqual([
      expect.objectContaining({ level: ok, message: 'inactive', values: { state: 'inactive' } }),
    ]);
    expect(nodeDiagnostics({ ...idle, failure: 'The lab is silent.' })).toEqual([
      expect.objectContaining({ level: error, message: 'The lab is silent.' }),
    ]);
  });
});

describe('a change', () => {
  const keyOf = (given: Partial<ControllerView>) =>
    diagnosticsKey(nodeDiagnostics(condition({ view: view(controller(given)) })));

  it('is one of level or message, not of a figure', () => {
    expect(keyOf({ replies: 8, lastReplyAgeMs: 30 })).toBe(keyOf({}));
    expect(keyOf({ state: 'late' })).not.toBe(keyOf({}));
  });
});
