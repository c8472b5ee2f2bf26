import { signal } from '@preact/signals';
import { events } from './state.js';
import { timeOf } from './time-of-day.js';

const wanted = signal('');
const least = signal(30);
const mostShown = 200;

export function Events() {
  const text = wanted.value.toLowerCase();
  const shown = events.value
    .filter((event) => event.level >= least.value)
    .filter((event) => `${event.text} ${event.code ?? ''}`.toLowerCase().includes(text))
    .slice(-mostShown)
    .reverse();
  return (
    <section aria-label="Events" class="events">
      <h2>Events</h2>
      <div class="filters">
        <input
          type="search"
          aria-label="Filter events"
          placeholder="filter"
          value={wanted}
          onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
        />
        <select
          aria-label="Least severity"
          value={String(least.value)}
          onChange={({ currentTarget }) => (least.value = Number(currentTarget.value))}
        >
          <option value="30">all</option>
          <option value="40">warnings and errors</option>
          <option value="50">errors</option>
        </select>
      </div>
      <ol class="scroll">
        {shown.map((event) => (
          <li key={event.key} class={event.level >= 50 ? 'bad' : event.level >= 40 ? 'warn' : ''}>
            <time>{timeOf(event.t)}</time> {levelName(event.level)} {event.text}{' '}
            {event.code !== undefined && (
              <a href={`/errors#${event.code.toLowerCase()}`} target="_blank" rel="noreferrer">
                {event.code}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function levelName(level: number): string {
  if (level >= 50) return 'error';
  return level >= 40 ? 'warning' : 'info';
}
