import { describe, expect, it } from 'vitest';
import type { StepControl } from '../../../src/core/index.js';
import type { NodeEffect, NodeEvent } from '../../../src/node/observers/session-observer.js';
import { carryOut, type RequestedSession } from '../../../src/node/middleware/session-requests.js';

/** A session at 5000 ns of simulated time that answers each event with these effects. */
function sessionWith(mode: RequestedSession['mode'], effects: readonly NodeEffect[] = []) {
  const events: (NodeEvent | StepControl)[] = [];
  const session: RequestedSession = {
    mode,
    handle: (event) => {
      events.push(event);
      return effects;
    },
    stepControl: (control) => events.push(control),
    timeNs: () => 5000n,
    nowNs: () => 7n,
  };
  return { events, session };
}

describe('a request of the control socket', () => {
  it.each([
    [{ command: 'pause' }, { kind: 'pause' }],
    [
      { command: 'step', count: 10 },
      { kind: 'step', count: 10 },
    ],
    [
      { command: 'runUntil', time_ns: 5000n },
      { kind: 'runUntil', tNs: 5000n },
    ],
  ] as const)('%o steps simulated time', (request, control) => {
    const { events, session } = sessionWith('simulated');
    carryOut(request, session);
    expect(events).toEqual([control]);
  });

  it('resume continues time and resumes all controllers', () => {
    const { events, session } = sessionWith('simulated');
    carryOut({ command: 'resume' }, session);
    expect(events).toEqual([{ kind: 'resume' }, { kind: 'resume', ids: 'all', atNs: 7n }]);
  });

  it('resume of some controllers does not continue time', () => {
    const { events, session } = sessionWith('simulated');
    carryOut({ command: 'resume', ids: [2, 3] }, session);
    expect(events).toEqual([{ kind: 'resume', ids: [2, 3], atNs: 7n }]);
  });

  it('resume in real time means the controllers only', () => {
    const { events, session } = sessionWith('real');
    carryOut({ command: 'resume' }, session);
    expect(events).toEqual([{ kind: 'resume', ids: 'all', atNs: 7n }]);
  });

  it('resume of a controller that is not back is refused', () => {
    const { session } = sessionWith('real', [{ kind: 'resumeRefused', ids: [3] }]);
    expect(() => carryOut({ command: 'resume', ids: [3] }, session)).toThrow(
      expect.objectContaining({ code: 'HLC_CONTROL_NOT_BACK' }) as Error,
    );
  });

  it('a time in the past is refused, and nothing is handled', () => {
    const { events, session } = sessionWith('simulated');
    expect(() => carryOut({ command: 'runUntil', time_ns: 4999n }, session)).toThrow(
      expect.objectContaining({ code: 'HLC_CONTROL_PAST' }) as Error,
    );
    expect(events).toEqual([]);
  });

  it('real time has no steps', () => {
    const { events, session } = sessionWith('real');
    expect(() => carryOut({ command: 'step', count: 1 }, session)).toThrow(
      expect.objectContaining({ code: 'HLC_CONTROL_REAL_TIME' }) as Error,
    );
    expect(events).toEqual([]);
  });

  it('status handles nothing', () => {
    const { events, session } = sessionWith('simulated');
    carryOut({ command: 'status' }, session);
    expect(events).toEqual([]);
  });
});
