import { mapChart, timeChart, type Series } from './charts.js';
import {
  comparedRows,
  comparedText,
  compareRuns,
  deviationTexts,
  noticeTexts,
  type RunComparison,
} from './compare-runs.js';
import { htmlPage, noticesHtml, table } from './html-page.js';
import type { RunAnalysis } from './run-analysis.js';

/** The comparison of two runs as one HTML file, with the numbers, both maps and both charts of times. */
export function comparisonPage(a: RunAnalysis, b: RunAnalysis): string {
  const comparison = compareRuns(a, b);
  return htmlPage(
    `A: ${a.nodeId}, B: ${b.nodeId}`,
    `${noticesHtml(noticeTexts(comparison))}
${numbers(comparison)}
<h2>Reply times</h2>
${timeChart('Reply time of each controller over time', 'ms', [...replies('A', a), ...replies('B', b)])}
<h2>Lateness of the start signals</h2>
${timeChart('Lateness over time', 'µs', [
  { name: 'A', points: a.latenessUs.points },
  { name: 'B', points: b.latenessUs.points },
])}
<h2>Paths</h2>
${table(
  undefined,
  deviationTexts(comparison).map((text) => [text]),
)}
<h3>A</h3>
${mapChart('Paths of the vehicles in A', a.paths)}
<h3>B</h3>
${mapChart('Paths of the vehicles in B', b.paths)}`,
  );
}

function numbers(comparison: RunComparison): string {
  const rows = comparedRows(comparison).map(([name, { a, b, change }, unit]) => [
    unit === '' ? name : `${name}, ${unit}`,
    comparedText(a),
    comparedText(b),
    comparedText(change, change > 0 ? '+' : ''),
  ]);
  const files = [
    ['A', comparison.a],
    ['B', comparison.b],
  ];
  return table(undefined, files) + table(['', 'A', 'B', 'B - A'], rows);
}

function replies(run: string, { controllers }: RunAnalysis): Series[] {
  return [...controllers].map(([id, { replyMs }]) => ({
    name: `controller ${id} in ${run}`,
    points: replyMs.points,
  }));
}
