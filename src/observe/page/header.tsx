import { connection, lost, problem, status } from './state.js';

const connectionTexts = {
  connected: 'connected',
  silent: 'the middleware does not respond',
  waiting: 'waiting for a middleware',
  ended: 'the middleware has ended',
  closed: 'the middleware and the observer have ended',
  gone: 'the middleware is gone',
  lost: 'no connection to the observer',
} as const;

export function Header() {
  const now = status.value;
  const state = connection.value ?? 'waiting';
  const isUnreadable = state === 'waiting' && problem.value !== null;
  return (
    <header>
      <h1>{now?.nodeId ?? 'hlc-middleware'}</h1>
      <span class={`badge ${state}`} role="status" data-testid="connection">
        {isUnreadable ? 'cannot read the middleware' : connectionTexts[state]}
      </span>
      {now !== undefined && (
        <>
          {state === 'connected' && <span data-testid="phase">{words(now.phase)}</span>}
          <span>
            {now.mode === 'real' ? 'real time' : `simulated time ${now.simulatedNs} ns`}
            {now.periodMs !== null && `, period ${now.periodMs} ms`}
          </span>
          <span>
            start signals <b data-testid="start-signals">{now.startSignals}</b>, skipped{' '}
            <b data-testid="skipped">{now.skippedPeriods}</b>, late by p99{' '}
            {now.latenessP99Ms.toFixed(3)} ms
          </span>
          <span>
            refused <b data-testid="refused">{sum(now.refused)}</b>
          </span>
        </>
      )}
      {lost.value > 0 && <span class="badge lost">records lost: {lost.value}</span>}
    </header>
  );
}

function words(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}
