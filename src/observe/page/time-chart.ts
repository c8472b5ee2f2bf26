import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { MarkKind } from '../live/page-protocol.js';
import { marksText } from './marks.js';
import { Series } from './series.js';
import { status, world } from './state.js';
import { timeOf } from './time-of-day.js';

export const chartHeight = 240;

/** A part of the time axis, ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ChartOptions {
  /** Controllers with a line. */
  readonly ids: readonly number[];
  readonly width: number;
  readonly isDark: boolean;
  /** The user has chosen this part by a drag; undefined: has ended that by a double click. */
  readonly onZoom: (span: Span | undefined) => void;
}

/** Adds the shape of a mark at a place of the canvas to a path. @param r half its size, px. */
type Shape = (path: Path2D, x: number, y: number, r: number) => void;

/** Heights by the period: marks of one time do not hide each other. */
const marks: readonly {
  readonly kind: MarkKind;
  readonly label: string;
  readonly height: number;
  readonly stroke: string;
  readonly shape: Shape;
}[] = [
  { kind: 'miss', label: '▲ miss', height: 1, stroke: '#d97706', shape: triangle },
  { kind: 'refusal', label: '◆ refusal', height: 0.92, stroke: '#7c3aed', shape: diamond },
  { kind: 'stop', label: '■ stop', height: 1.08, stroke: '#dc2626', shape: square },
];

/** Of a mark, px. */
const markSize = 10;
/** Marks that are nearer to the pointer are named, px. */
const nearPixels = 6;

/** Hues of controllers, apart from those of the marks. */
const hues = [212, 150, 300, 48, 182, 330, 100, 236, 16, 128, 272, 66];

/** Their lines differ in the pattern, too, px: not everybody sees colours. */
const dashes = [[], [14, 4], [6, 3], [14, 4, 3, 4]];

export function chartOptions({ ids, width, isDark, onZoom }: ChartOptions): uPlot.Options {
  const text = getComputedStyle(document.body).color;
  const line = { stroke: 'rgba(128,128,128,0.25)', width: 1 };
  const axis = { stroke: text, grid: line, ticks: line };
  const time = {
    ...axis,
    space: 70,
    values: (_: uPlot, splits: number[]) => splits.map((s) => timeOf(s * 1000).slice(0, 8)),
  };
  const colour = (i: number) => `hsl(${hues[i % hues.length] ?? 0} 75% ${isDark ? 62 : 42}%)`;
  return {
    width,
    height: chartHeight,
    axes: [time, { ...axis, size: 40 }],
    cursor: {
      bind: {
        dblclick: () => () => {
          onZoom(undefined);
          return null;
        },
      },
    },
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select;
          const at = (px: number) => plot.posToVal(px, 'x') * 1000;
          if (wide > 0) onZoom({ from: at(left), to: at(left + wide) });
        },
      ],
    },
    series: [
      { label: 'time', value: (_, s: number | null) => (s === null ? '--' : timeOf(s * 1000)) },
      ...ids.map((id, i) => ({
        label: `controller ${id}`,
        stroke: colour(i),
        dash: dashes[i % dashes.length] ?? [],
        spanGaps: true,
      })),
      { label: 'lateness', stroke: '#999', dash: [2, 3], spanGaps: true },
      { label: 'period', stroke: text, dash: [8, 4], spanGaps: true },
      ...marks.map(({ kind, label, stroke, shape }) => ({
        label,
        stroke,
        value: (plot: uPlot, _value: number | null, _series: number, i: number | null) =>
          i === null ? '--' : nearText(plot, kind),
        paths: () => null,
        points: { show: true, size: markSize, fill: stroke, paths: shapes(shape) },
      })),
    ],
  };
}

/** The controllers of the marks near the pointer. */
function nearText(plot: uPlot, kind: MarkKind): string {
  const left = plot.cursor.left ?? 0;
  const from = plot.posToVal(left - nearPixels, 'x') * 1000;
  const to = plot.posToVal(left + nearPixels, 'x') * 1000;
  const near = world.marks.of(kind).filter(({ t }) => t >= from && t <= to);
  const text = marksText(near);
  return text === '' ? '--' : `controller ${text}`;
}

/** Draws the points of a series in a shape. */
function shapes(shape: Shape): uPlot.Series.Points.PathBuilder {
  return (plot, series, from, to) => {
    const path = new Path2D();
    const r = (markSize / 2) * devicePixelRatio;
    const [xs, ys] = [plot.data[0], plot.data[series] ?? []];
    for (let i = from; i <= to; i++) {
      const y = ys[i];
      if (y == null) continue;
      shape(path, plot.valToPos(xs[i] ?? 0, 'x', true), plot.valToPos(y, 'y', true), r);
    }
    const clip = new Path2D();
    const { left, top, width, height } = plot.bbox;
    clip.rect(left - r, top - r, width + 2 * r, height + 2 * r);
    return { stroke: null, fill: path, clip, flags: 0 };
  };
}

function triangle(path: Path2D, x: number, y: number, r: number): void {
  polygon(path, [x, y - r], [x + r, y + r], [x - r, y + r]);
}

function diamond(path: Path2D, x: number, y: number, r: number): void {
  polygon(path, [x, y - r], [x + r, y], [x, y + r], [x - r, y]);
}

function square(path: Path2D, x: number, y: number, r: number): void {
  path.rect(x - r, y - r, 2 * r, 2 * r);
}

function polygon(path: Path2D, ...corners: readonly (readonly [number, number])[]): void {
  corners.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  path.closePath();
}

/** One column of times for all lines: uPlot aligns them so. */
export function chartData(ids: readonly number[], { from, to }: Span): uPlot.AlignedData {
  const tables: uPlot.AlignedData[] = ids.map((id) =>
    lineOf(world.replies.get(id) ?? new Series(), from),
  );
  tables.push(lineOf(world.starts, from));
  const period = status.value?.periodMs ?? null;
  tables.push([
    [seconds(from), seconds(to)],
    [period, period],
  ]);
  for (const { kind, height } of marks) {
    const shown = world.marks.of(kind).filter(({ t }) => t >= from);
    const times = [...new Set(shown.map(({ t }) => seconds(t)))].sort((a, b) => a - b);
    tables.push([times, times.map(() => height * (period ?? 1))]);
  }
  return uPlot.join(tables);
}

function lineOf({ t, ms }: Series, from: number): uPlot.AlignedData {
  const begin = firstFrom(t, from);
  return [t.subarray(begin).map(seconds), ms.subarray(begin)];
}

function seconds(t: number): number {
  return t / 1000;
}

function firstFrom(times: Float64Array, from: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
