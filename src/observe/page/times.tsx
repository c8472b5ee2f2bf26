import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { world } from './state.js';
import { chartData, chartHeight, chartOptions, type Span } from './time-chart.js';

const windows = [
  { name: '1 min', ms: 60_000 },
  { name: '10 min', ms: 600_000 },
  { name: '1 h', ms: 3_600_000 },
] as const;
const windowMs = signal<number>(windows[0].ms);
/** The part that was chosen by a drag. */
const zoom = signal<Span | undefined>(undefined);
/** All controllers that have replied. */
const known = signal<readonly number[]>([]);
/** Index of the first one with a line. */
const first = signal(0);
const dark = matchMedia('(prefers-color-scheme: dark)');
const refreshMs = 200;
/** More lines would look the same. */
const mostLines = 12;

/** Reply times, lateness, period and marks on one time axis. */
export function Times() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : startChart(place.current)), []);
  return (
    <section aria-label="Times" class="times">
      <h2>Reply times, ms</h2>
      <div class="filters" role="group" aria-label="Time shown">
        {windows.map(({ name, ms }) => (
          <button
            key={name}
            aria-pressed={zoom.value === undefined && windowMs.value === ms}
            onClick={() => {
              windowMs.value = ms;
              zoom.value = undefined;
            }}
          >
            {name}
          </button>
        ))}
        {zoom.value !== undefined && (
          <button onClick={() => (zoom.value = undefined)}>Back to now</button>
        )}
        {known.value.length > mostLines && <LineSelector />}
      </div>
      <div ref={place} data-testid="chart" />
      <p class="hint">
        Drag: zoom · double click: back to now · the values are those at the pointer
      </p>
    </section>
  );
}

/** Which controllers have a line, when they are too many for one chart. */
function LineSelector() {
  const ids = known.value;
  const begins = ids.map((_, i) => i).filter((i) => i % mostLines === 0);
  return (
    <>
      <select
        aria-label="Controllers with a line"
        value={String(first.value)}
        onChange={({ currentTarget }) => (first.value = Number(currentTarget.value))}
      >
        {begins.map((begin) => (
          <option key={begin} value={String(begin)}>
            lines: controllers {ids[begin]} to {ids.slice(begin, begin + mostLines).at(-1)}
          </option>
        ))}
      </select>
      <span class="hint" data-testid="lines">
        {linesOf(ids).length} of {ids.length} controllers have a line; misses, refusals and stops
        are of all.
      </span>
    </>
  );
}

function linesOf(ids: readonly number[]): readonly number[] {
  // Another middleware may have fewer.
  const begin = first.value < ids.length ? first.value : 0;
  return ids.slice(begin, begin + mostLines);
}

/** @returns how to end it. */
function startChart(element: HTMLDivElement): () => void {
  let plot: uPlot | undefined;
  let key = '';
  const draw = () => {
    const all = [...world.replies.keys()].sort((a, b) => a - b);
    if (all.join() !== known.value.join()) known.value = all;
    const ids = linesOf(all);
    const isDark = dark.matches;
    const now = [...ids, getComputedStyle(document.documentElement).colorScheme, isDark].join(' ');
    if (plot === undefined || now !== key) {
      plot?.destroy();
      const onZoom = (span: Span | undefined) => (zoom.value = span);
      const options = chartOptions({ ids, width: element.clientWidth, isDark, onZoom });
      plot = new uPlot(options, [[]], element);
      key = now;
    }
    const live = { from: world.t - windowMs.value, to: world.t };
    const { from, to } = zoom.value ?? live;
    // The scale stays that of the zoom, whatever has come since.
    plot.setData(chartData(ids, { from: Math.min(from, live.from), to: live.to }), false);
    plot.setScale('x', { min: from / 1000, max: to / 1000 });
    element.dataset.from = String(from);
    element.dataset.to = String(to);
  };
  const timer = setInterval(draw, refreshMs);
  const resize = () => plot?.setSize({ width: element.clientWidth, height: chartHeight });
  const resized = new ResizeObserver(resize);
  resized.observe(element);
  return () => {
    clearInterval(timer);
    resized.disconnect();
    plot?.destroy();
  };
}
