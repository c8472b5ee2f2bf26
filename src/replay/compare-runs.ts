import { noticesOf, type RunAnalysis } from './run-analysis.js';
import { TimeSeries, type Quantiles } from './time-series.js';
import { VehiclePath } from './vehicle-path.js';

/** A number of both runs, and B less A. */
export interface Compared {
  readonly a: number;
  readonly b: number;
  readonly change: number;
}

/** One controller in both runs. */
export interface ComparedController {
  readonly replies: Compared;
  readonly misses: Compared;
  readonly lateReplies: Compared;
  readonly refusedCommands: Compared;
  readonly safeStops: Compared;
  readonly replyMs: Readonly<Record<keyof Quantiles, Compared>>;
}

/** How far the path of a vehicle in B is from that in A at the same time, m. */
export interface PathDeviation {
  readonly meanM: number;
  readonly maxM: number;
  /** When it is largest, s after the first start signal. */
  readonly maxAtS: number;
  /** Poses of A that lie within both runs. */
  readonly poses: number;
}

/** What differs between two recordings. */
export interface RunComparison {
  readonly a: string;
  readonly b: string;
  /** Why figures of a run may be too low. */
  readonly notices: { readonly a: readonly string[]; readonly b: readonly string[] };
  readonly startSignals: Compared;
  readonly skippedPeriods: Compared;
  readonly latenessUs: Readonly<Record<keyof Quantiles, Compared>>;
  readonly controllers: Readonly<Record<string, ComparedController>>;
  readonly paths: Readonly<Record<string, PathDeviation>>;
}

/** Compares two runs; controllers and vehicles of one run only count as 0 in the other. */
export function compareRuns(a: RunAnalysis, b: RunAnalysis): RunComparison {
  const ids = new Set([...a.controllers.keys(), ...b.controllers.keys()]);
  const vehicles = [...a.paths.keys()].filter((id) => b.paths.has(id));
  return {
    a: a.file,
    b: b.file,
    notices: { a: noticesOf(a), b: noticesOf(b) },
    startSignals: compared(a.startSignals, b.startSignals),
    skippedPeriods: compared(a.skippedPeriods, b.skippedPeriods),
    latenessUs: comparedQuantiles(a.latenessUs.quantiles, b.latenessUs.quantiles),
    controllers: Object.fromEntries(
      [...ids].map((id) => [String(id), comparedController(a, b, id)]),
    ),
    paths: Object.fromEntries(
      vehicles.map((id) => [String(id), deviation(pathOf(a, id), pathOf(b, id))]),
    ),
  };
}

function comparedController(a: RunAnalysis, b: RunAnalysis, id: number): ComparedController {
  const [one, other] = [a, b].map((run) => {
    const controller = run.controllers.get(id);
    return {
      replies: controller?.replyMs.count ?? 0,
      misses: controller?.misses ?? 0,
      lateReplies: controller?.lateReplies ?? 0,
      refused: [...(controller?.refused.values() ?? [])].reduce((sum, count) => sum + count, 0),
      safeStops: controller?.safeStops ?? 0,
      replyMs: (controller?.replyMs ?? new TimeSeries()).quantiles,
    };
  }) as [ControllerFigures, ControllerFigures];
  return {
    replies: compared(one.replies, other.replies),
    misses: compared(one.misses, other.misses),
    lateReplies: compared(one.lateReplies, other.lateReplies),
    refusedCommands: compared(one.refused, other.refused),
    safeStops: compared(one.safeStops, other.safeStops),
    replyMs: comparedQuantiles(one.replyMs, other.replyMs),
  };
}

interface ControllerFigures {
  readonly replies: number;
  readonly misses: number;
  readonly lateReplies: number;
  readonly refused: number;
  readonly safeStops: number;
  readonly replyMs: Quantiles;
}

function compared(a: number, b: number): Compared {
  return { a, b, change: b - a };
}

function comparedQuantiles(a: Quantiles, b: Quantiles): RunComparison['latenessUs'] {
  return {
    p50: compared(a.p50, b.p50),
    p99: compared(a.p99, b.p99),
    max: compared(a.max, b.max),
  };
}

function pathOf({ paths }: RunAnalysis, id: number): VehiclePath {
  return paths.get(id) ?? new VehiclePath();
}

/** Distance of the poses of A from the path of B, at the same time after the first start signal. */
function deviation(a: VehiclePath, b: VehiclePath): PathDeviation {
  let sumM = 0;
  let maxM = 0;
  let maxAtS = 0;
  let poses = 0;
  let next = 0;
  let after = b.at(0);
  for (const { timeS, x, y } of a) {
    while (after !== undefined && after.timeS < timeS) after = b.at(++next);
    const before = b.at(next - 1) ?? after;
    if (after === undefined || before === undefined || before.timeS > timeS) continue;
    const span = after.timeS - before.timeS;
    const part = span > 0 ? (timeS - before.timeS) / span : 0;
    const distanceM = Math.hypot(
      before.x + part * (after.x - before.x) - x,
      before.y + part * (after.y - before.y) - y,
    );
    poses++;
    sumM += distanceM;
    if (distanceM > maxM) {
      maxM = distanceM;
      maxAtS = timeS;
    }
  }
  return { meanM: poses === 0 ? 0 : sumM / poses, maxM, maxAtS, poses };
}

/** A number of both runs, with its name and its unit. */
type ComparedRow = readonly [name: string, compared: Compared, unit: string];

/** All numbers of a comparison, in the order of a table. */
export function comparedRows(comparison: RunComparison): readonly ComparedRow[] {
  const { startSignals, skippedPeriods, latenessUs, controllers } = comparison;
  return [
    ['start signals', startSignals, ''],
    ['skipped periods', skippedPeriods, ''],
    ['lateness of start signals p50', latenessUs.p50, 'µs'],
    ['lateness of start signals p99', latenessUs.p99, 'µs'],
    ...Object.entries(controllers).flatMap(([id, controller]): ComparedRow[] => {
      const name = `controller ${id}`;
      return [
        [`${name}: replies`, controller.replies, ''],
        [`${name}: misses`, controller.misses, ''],
        [`${name}: late replies`, controller.lateReplies, ''],
        [`${name}: refused commands`, controller.refusedCommands, ''],
        [`${name}: safe stops`, controller.safeStops, ''],
        [`${name}: reply time p50`, controller.replyMs.p50, 'ms'],
        [`${name}: reply time p99`, controller.replyMs.p99, 'ms'],
      ];
    }),
  ];
}

/** The deviations of the paths as sentences. */
export function deviationTexts({ paths }: RunComparison): readonly string[] {
  return Object.entries(paths).map(
    ([id, { meanM, maxM, maxAtS }]) =>
      `Vehicle ${id}: at the same time, B is ${meanM.toFixed(3)} m from A on average, ${maxM.toFixed(3)} m at most (${maxAtS.toFixed(1)} s after the first start signal).`,
  );
}

/** A number of a comparison as text. @param sign `+` for a rise. */
export function comparedText(value: number, sign = ''): string {
  return `${sign}${Number.isInteger(value) ? String(value) : value.toFixed(3)}`;
}

/** The notices of both runs, each with the name of its run. */
export function noticeTexts({ notices }: RunComparison): readonly string[] {
  return [...notices.a.map((text) => `A: ${text}`), ...notices.b.map((text) => `B: ${text}`)];
}

/** The comparison as a table of text. */
export function comparisonText(comparison: RunComparison): string {
  const rows = comparedRows(comparison);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, { a, b, change }, unit]) => {
    const sign = change > 0 ? '+' : '';
    return `${name.padEnd(width)}  ${cell(a)}  ${cell(b)}  ${cell(change, sign)} ${unit}`.trimEnd();
  });
  const head = `${''.padEnd(width)}  ${'A'.padStart(cellWidth)}  ${'B'.padStart(cellWidth)}  ${'B - A'.padStart(cellWidth)}`;
  const names = [`A: ${comparison.a}`, `B: ${comparison.b}`, ...noticeTexts(comparison)];
  return `${[...names, head, ...lines, ...deviationTexts(comparison)].join('\n')}\n`;
}

const cellWidth = 10;

function cell(value: number, sign = ''): string {
  return comparedText(value, sign).padStart(cellWidth);
}
