import { answer, send } from './controls.js';
import { mayControl, playback, updates, world } from './state.js';

const speeds = [0.25, 0.5, 1, 2, 5, 10, 50];
const msPerS = 1000;
const seekStepMs = 100;

/** Time and speed of a recording. */
export function Playback() {
  const now = playback.value;
  if (now === undefined) return null;
  const { from, to, speed, isPaused } = now;
  // It follows every update. Nothing may have been recorded for a while before the time of a jump.
  const shown = updates.value === 0 ? from : Math.max(now.position, world.t);
  const position = Math.min(Math.max(shown - from, 0), to - from);
  const isFixed = !mayControl.value;
  return (
    <section aria-label="Playback" class="controls">
      <button
        disabled={isFixed}
        onClick={() => void send({ command: isPaused ? 'resume' : 'pause' })}
      >
        {isPaused ? 'Play' : 'Pause'}
      </button>
      <input
        type="range"
        aria-label="Time in the recording"
        disabled={isFixed}
        min={0}
        max={to - from}
        step={seekStepMs}
        value={position}
        onChange={({ currentTarget }) =>
          void send({ command: 'seek', t: from + Number(currentTarget.value) })
        }
      />
      <span data-testid="position">
        {(position / msPerS).toFixed(1)} of {((to - from) / msPerS).toFixed(1)} s
      </span>
      <select
        aria-label="Speed"
        disabled={isFixed}
        value={String(speed)}
        onChange={({ currentTarget }) =>
          void send({ command: 'speed', speed: Number(currentTarget.value) })
        }
      >
        {speeds.map((each) => (
          <option key={each} value={String(each)}>
            {each} ×
          </option>
        ))}
      </select>
      <output data-testid="answer">{answer}</output>
      {isFixed && <p class="hint">Open the control address to change time and speed.</p>}
    </section>
  );
}
