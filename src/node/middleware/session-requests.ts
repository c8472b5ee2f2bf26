import type { StepControl } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import type { SessionRequest } from '../../remote/index.js';
import type { NodeEffect, NodeEvent } from '../observers/session-observer.js';

type StepRequest = Exclude<SessionRequest, { command: 'status' }>;

/** What a request does its work with. */
export interface RequestedSession {
  readonly mode: 'real' | 'simulated';
  readonly handle: (event: NodeEvent) => readonly NodeEffect[];
  /** In simulated time only. */
  readonly stepControl: (control: StepControl) => void;
  /** The simulated time, ns; null before the first step. */
  readonly timeNs: () => bigint | null;
  /** Monotonic clock, ns. */
  readonly nowNs: () => bigint;
}

/**
 * Carries out a request of the control socket.
 * @throws HlcError `HLC_CONTROL_REAL_TIME`, `HLC_CONTROL_PAST`, `HLC_CONTROL_NOT_BACK`.
 */
export function carryOut(request: SessionRequest, session: RequestedSession): void {
  const named = request.command === 'resume' ? request.ids : undefined;
  if (request.command !== 'status' && named === undefined) stepControl(request, session);
  if (request.command === 'resume') resume(named ?? 'all', session);
}

function resume(ids: readonly number[] | 'all', { handle, nowNs }: RequestedSession): void {
  const effects = handle({ kind: 'resume', ids, atNs: nowNs() });
  const refused = effects.find((effect) => effect.kind === 'resumeRefused');
  if (refused !== undefined) throw new HlcError('HLC_CONTROL_NOT_BACK', { ids: refused.ids });
}

function stepControl(request: StepRequest, session: RequestedSession): void {
  const { mode, timeNs } = session;
  if (mode === 'real') {
    // In real time, resume means the controllers only.
    if (request.command === 'resume') return;
    throw new HlcError('HLC_CONTROL_REAL_TIME', {});
  }
  const reachedNs = timeNs();
  if (request.command === 'runUntil' && reachedNs !== null && request.time_ns < reachedNs) {
    throw new HlcError('HLC_CONTROL_PAST', { timeNs: request.time_ns, nowNs: reachedNs });
  }
  session.stepControl(stepControlOf(request));
}

function stepControlOf(request: StepRequest): StepControl {
  switch (request.command) {
    case 'pause':
    case 'resume':
      return { kind: request.command };
    case 'step':
      return { kind: 'step', count: request.count };
    case 'runUntil':
      return { kind: 'runUntil', tNs: request.time_ns };
  }
}
