import type { Point } from './time-series.js';
import type { VehiclePath } from './vehicle-path.js';

/** A line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

const width = 860;
const height = 220;
const margin = { left: 62, right: 12, top: 10, bottom: 34 };

/** A line is drawn with at most this many points: the least and the largest of each interval. */
const mostPoints = 1200;

/** Colours of the lines. */
export const chartColours = 6;

/** Lines of the same colour differ by their dashes, in the unit of the chart; the first ones have none. */
export const chartDashes = ['none', '7 3', '2 3', '9 3 2 3'] as const;

/** The classes of line `i`; line 24 looks like line 0 again, and both have their names as titles. */
function lineClass(i: number): string {
  const dash = Math.floor(i / chartColours) % chartDashes.length;
  return `line c${i % chartColours} d${dash}`;
}

const gridLines = 5;

/**
 * A chart of values over time as SVG, with its own title for screen readers.
 * @param limit a line across the chart, for example the period.
 */
export function timeChart(
  title: string,
  unit: string,
  series: readonly Series[],
  limit?: { readonly name: string; readonly value: number },
): string {
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return '<p>No values.</p>';
  const [fromS, toS] = extent(all.map(({ timeS }) => timeS));
  const [least, most] = extent([...all.map(({ value }) => value), 0, limit?.value ?? 0]);
  const x = scale(fromS, toS, margin.left, width - margin.right);
  const y = scale(least, most, height - margin.bottom, margin.top);
  const lines = series.map(({ name, points }, i) => {
    const path = thinned(points).map(({ timeS, value }) => `${fixed(x(timeS))},${fixed(y(value))}`);
    return line(i, name, path);
  });
  const limitLine =
    limit === undefined
      ? ''
      : `<line class="limit" x1="${margin.left}" x2="${width - margin.right}" y1="${fixed(y(limit.value))}" y2="${fixed(y(limit.value))}"/><text x="${width - margin.right}" y="${fixed(y(limit.value) - 4)}" text-anchor="end">${escapeHtml(limit.name)}</text>`;
  const body = [
    axis(least, most, (value) => y(value), unit),
    timeAxis(fromS, toS, x),
    ...lines,
    limitLine,
  ];
  return svg(title, width, height, body.join('')) + legend(series.map(({ name }) => name));
}

/** The paths of vehicles seen from above, in the same scale on both axes, as SVG. */
export function mapChart(title: string, paths: ReadonlyMap<number, VehiclePath>): string {
  if (paths.size === 0) return '<p>No states of vehicles.</p>';
  const [left, right] = extent(numbersOf(paths, 'x'));
  const [bottom, top] = extent(numbersOf(paths, 'y'));
  const inner = width - margin.left - margin.right;
  const metre = Math.min(inner / (right - left), (mapHeight - 2 * margin.top) / (top - bottom));
  const mapBottom = margin.top + (top - bottom) * metre;
  const x = (value: number) => margin.left + (value - left) * metre;
  const y = (value: number) => mapBottom - (value - bottom) * metre;
  const lines = [...paths].map(([id, points], i) => {
    const { last } = points;
    const step = Math.max(1, Math.floor(points.length / mostPoints));
    const kept = [...points].filter((_, k) => k % step === 0);
    if (last !== undefined) kept.push(last);
    const path = kept.map((point) => `${fixed(x(point.x))},${fixed(y(point.y))}`);
    const end =
      last === undefined
        ? ''
        : `<circle class="dot c${i % chartColours}" cx="${fixed(x(last.x))}" cy="${fixed(y(last.y))}" r="4"><title>${vehicleName(id)}</title></circle>`;
    return line(i, vehicleName(id), path) + end;
  });
  const bar = `<line class="limit" x1="${margin.left}" x2="${fixed(margin.left + metre)}" y1="${fixed(mapBottom + 14)}" y2="${fixed(mapBottom + 14)}"/><text x="${fixed(margin.left + metre + 6)}" y="${fixed(mapBottom + 18)}">1 m</text>`;
  const names = [...paths.keys()].map(vehicleName);
  return svg(title, width, mapBottom + 30, [...lines, bar].join('')) + legend(names);
}

function vehicleName(id: number): string {
  return `vehicle ${id}`;
}

/** Line number `i` of a chart. @param path as `x,y`. */
function line(i: number, name: string, path: readonly string[]): string {
  return `<polyline class="${lineClass(i)}" points="${path.join(' ')}"><title>${escapeHtml(name)}</title></polyline>`;
}

function* numbersOf(paths: ReadonlyMap<number, VehiclePath>, of: 'x' | 'y'): Generator<number> {
  for (const path of paths.values()) {
    for (const point of path) yield point[of];
    if (path.last !== undefined) yield path.last[of];
  }
}

const mapHeight = 460;

function svg(title: string, w: number, h: number, body: string): string {
  const name = escapeHtml(title);
  return `<svg viewBox="0 0 ${w} ${fixed(h)}" role="img" aria-label="${name}"><title>${name}</title>${body}</svg>`;
}

function legend(names: readonly string[]): string {
  const items = names.map(
    (name, i) =>
      `<li><svg class="swatch" viewBox="0 0 28 8" aria-hidden="true"><line class="${lineClass(i)}" x1="0" x2="28" y1="4" y2="4"/></svg>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function axis(least: number, most: number, y: (value: number) => number, unit: string): string {
  return Array.from({ length: gridLines }, (_, i) => {
    const value = least + ((most - least) * i) / (gridLines - 1);
    const at = fixed(y(value));
    return `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}"/><text x="${margin.left - 6}" y="${fixed(y(value) + 4)}" text-anchor="end">${label(value)}${i === gridLines - 1 ? ` ${unit}` : ''}</text>`;
  }).join('');
}

function timeAxis(fromS: number, toS: number, x: (timeS: number) => number): string {
  return Array.from({ length: gridLines }, (_, i) => {
    const timeS = fromS + ((toS - fromS) * i) / (gridLines - 1);
    const anchor = i === gridLines - 1 ? 'end' : 'middle';
    return `<text x="${fixed(x(timeS))}" y="${height - 12}" text-anchor="${anchor}">${label(timeS)} s</text>`;
  }).join('');
}

/** The least and the largest value of each interval, so that no peak is lost. */
function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= mostPoints) return points;
  const size = Math.ceil(points.length / (mostPoints / 2));
  const kept: Point[] = [];
  for (let from = 0; from < points.length; from += size) {
    const part = points.slice(from, from + size);
    const ends = [
      part.reduce((a, b) => (b.value < a.value ? b : a)),
      part.reduce((a, b) => (b.value > a.value ? b : a)),
    ];
    kept.push(...ends.sort((a, b) => a.timeS - b.timeS));
  }
  return kept;
}

function extent(values: Iterable<number>): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most > least ? [least, most] : [least, least + 1];
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function label(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** Text within HTML or within an attribute of it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
