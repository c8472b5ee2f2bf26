import { signal } from '@preact/signals';
import { askedNow, connection, isOver, mayControl, status } from './state.js';
import { useCurrent } from './use-current.js';

/** To the last request. */
export const answer = signal('');
const steps = signal('1');
const until = signal('');

/** No middleware takes a request. While one is silent, Stop may still help. */
function isDisabled(): boolean {
  return isOver() || connection.value === 'gone';
}

type Request = Readonly<Record<string, unknown>> & {
  readonly command: string;
  readonly ids?: readonly number[];
};

/** Sends a request of the control socket, and shows the reply. */
export async function send(request: Request): Promise<void> {
  answer.value = '…';
  try {
    const response = await fetch('/control', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const text = await response.text();
    if (response.ok) {
      answer.value = `${[request.command, ...(request.ids ?? [])].join(' ')}: done`;
      return;
    }
    answer.value = messageOf(text);
  } catch {
    answer.value = 'The observer does not answer.';
  }
}

/** Sends a request that lets vehicles move: the middleware refuses it when it comes late. */
export function sendMove(request: Request): Promise<void> {
  return send({ ...request, ...askedNow() });
}

function messageOf(text: string): string {
  try {
    const { message, code } = JSON.parse(text) as { message: string; code: string };
    return `${message} [${code}]`;
  } catch {
    return text;
  }
}

export function Controls() {
  // Vehicles move by no request of somebody who does not see them.
  const mayMove = useCurrent();
  if (!mayControl.value) {
    return (
      <p class="hint">
        To control the middleware, open the control address that the observer printed.
      </p>
    );
  }
  const simulated = status.value?.mode === 'simulated';
  const disabled = isDisabled();
  return (
    <section aria-label="Controls" class="controls">
      {simulated && (
        <>
          <button disabled={disabled} onClick={() => void send({ command: 'pause' })}>
            Pause
          </button>
          <button
            disabled={!mayMove}
            onClick={() => void sendMove({ command: 'step', count: Number(steps.value) })}
          >
            Step
          </button>
          <input
            aria-label="Number of steps"
            inputMode="numeric"
            value={steps}
            onInput={({ currentTarget }) => (steps.value = currentTarget.value)}
          />
        </>
      )}
      <button disabled={!mayMove} onClick={() => void sendMove({ command: 'resume' })}>
        Resume
      </button>
      {simulated && (
        <>
          <button
            disabled={!mayMove}
            onClick={() => void sendMove({ command: 'runUntil', time_ns: until.value })}
          >
            Run until
          </button>
          <input
            aria-label="Simulated time in nanoseconds"
            placeholder="time, ns"
            inputMode="numeric"
            value={until}
            onInput={({ currentTarget }) => (until.value = currentTarget.value)}
          />
        </>
      )}
      <button class="danger" disabled={disabled} onClick={() => void send({ command: 'stop' })}>
        Stop
      </button>
      <output data-testid="answer">{answer}</output>
    </section>
  );
}
