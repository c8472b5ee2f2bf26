import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { status, world } from './state.js';
import { timeOf } from './time-of-day.js';

const windows = [
  { name: '1 min', ms: 60_000 },
  { name: '10 min', ms: 600_000 },
  { name: '1 h', ms: 3_600_000 },
] as const;
const windowMs = signal<number>(windows[0].ms);
const dark = matchMedia('(prefers-color-scheme: dark)');
const refreshMs = 200;
const height = 240;
/** Lines of the chart beside those of controllers. */
const mostControllers = 12;

/** Reply times, lateness, period and marks on one time axis. */
export function Times() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let plot: uPlot | undefined;
    let key = '';
    const draw = () => {
      const ids = [...world.replies.keys()].sort((a, b) => a - b).slice(0, mostControllers);
      const styles = getComputedStyle(document.documentElement);
      const now = `${ids.join(' ')} ${styles.colorScheme} ${dark.matches}`;
      if (plot === undefined || now !== key) {
        plot?.destroy();
        plot = new uPlot(optionsOf(ids, element.clientWidth), [[]], element);
        key = now;
      }
      plot.setData(dataOf(ids));
    };
    const timer = setInterval(draw, refreshMs);
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      clearInterval(timer);
      resized.disconnect();
      plot?.destroy();
    };
  }, []);
  return (
    <section aria-label="Times" class="times">
      <h2>Reply times, ms</h2>
      <div class="filters" role="group" aria-label="Time shown">
        {windows.map(({ name, ms }) => (
          <button
            key={name}
            aria-pressed={windowMs.value === ms}
            onClick={() => (windowMs.value = ms)}
          >
            {name}
          </button>
        ))}
      </div>
      <div ref={place} data-testid="chart" />
    </section>
  );
}

/** Hues of controllers, apart from those of the marks. */
const hues = [212, 150, 300, 48, 182, 330, 100, 236, 16, 128, 272, 66];

function colour(i: number): string {
  return `hsl(${hues[i % hues.length] ?? 0} 75% ${dark.matches ? 62 : 42}%)`;
}

function optionsOf(ids: readonly number[], width: number): uPlot.Options {
  const text = getComputedStyle(document.body).color;
  const line = { stroke: 'rgba(128,128,128,0.25)', width: 1 };
  const axis = { stroke: text, grid: line, ticks: line };
  const time = {
    ...axis,
    space: 70,
    values: (_: uPlot, splits: number[]) => splits.map((s) => timeOf(s * 1000).slice(0, 8)),
  };
  const points = (name: string, stroke: string): uPlot.Series => ({
    label: name,
    stroke,
    paths: () => null,
    points: { show: true, size: 9, fill: stroke },
  });
  return {
    width,
    height,
    axes: [time, { ...axis, size: 40 }],
    series: [
      { label: 'time', value: (_, s: number | null) => (s === null ? '--' : timeOf(s * 1000)) },
      ...ids.map((id, i) => ({ label: `controller ${id}`, stroke: colour(i), spanGaps: true })),
      { label: 'lateness', stroke: '#999', dash: [2, 3], spanGaps: true },
      { label: 'period', stroke: text, dash: [8, 4], spanGaps: true },
      ...marks.map(({ kind, stroke }) => points(kind, stroke)),
    ],
  };
}

/** Heights by the period: marks of one time do not hide each other. */
const marks = [
  { kind: 'miss', height: 1, stroke: '#d97706' },
  { kind: 'refusal', height: 0.92, stroke: '#7c3aed' },
  { kind: 'stop', height: 1.08, stroke: '#dc2626' },
] as const;

/** One column of times for all lines: uPlot aligns them so. */
function dataOf(ids: readonly number[]): uPlot.AlignedData {
  const from = world.t - windowMs.value;
  const tables: uPlot.AlignedData[] = [
    ...ids.map((id) => {
      const { t = [], ms = [] } = world.replies.get(id) ?? {};
      const begin = firstFrom(t, from);
      return [t.slice(begin).map(seconds), ms.slice(begin)] as uPlot.AlignedData;
    }),
  ];
  const begin = firstFrom(world.starts.t, from);
  tables.push([world.starts.t.slice(begin).map(seconds), world.starts.ms.slice(begin)]);
  const period = status.value?.periodMs ?? null;
  tables.push([
    [seconds(from), seconds(world.t)],
    [period, period],
  ]);
  for (const { kind, height } of marks) {
    const times = world.marks
      .filter((mark) => mark.kind === kind && mark.t >= from)
      .map(({ t }) => seconds(t))
      .sort((a, b) => a - b);
    tables.push([times, times.map(() => height * (period ?? 1))]);
  }
  return uPlot.join(tables);
}

function seconds(t: number): number {
  return t / 1000;
}

function firstFrom(times: readonly number[], from: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
