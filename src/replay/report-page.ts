import { escapeHtml, mapChart, timeChart } from './charts.js';
import {
  quantilesOf,
  type ControllerRun,
  type LogEntry,
  type RunAnalysis,
} from './run-analysis.js';

/** pino's number of a warning. */
const warnLevel = 40;

const msPerNs = 1_000_000n;

/** The run as one HTML file with its charts, without scripts and without anything from outside. */
export function reportPage(run: RunAnalysis, version: string): string {
  const title = `Run of ${run.nodeId}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${notices(run)}
${facts(run, version)}
<h2>Controllers</h2>
${controllers(run)}
<h2>Reply times</h2>
${replyChart(run)}
<h2>Start signals</h2>
${startSignals(run)}
<h2>Map</h2>
${mapChart('Paths of the vehicles', run.paths)}
<h2>Speeds</h2>
${speedChart(run)}
<h2>Events</h2>
${events(run.log)}
</main>
</body>
</html>
`;
}

function notices({ wasCut, dropped }: RunAnalysis): string {
  const texts = [
    wasCut ? 'The recording was cut: it has no end.' : undefined,
    dropped > 0
      ? `The recorder was too slow for ${dropped} records; figures are too low.`
      : undefined,
  ].filter((text) => text !== undefined);
  return texts.map((text) => `<p class="notice">${text}</p>`).join('');
}

function facts(run: RunAnalysis, version: string): string {
  const began = run.beganNs === null ? 'no start signal' : dateOf(run.beganNs);
  const rows: [string, string][] = [
    ['Recording', run.file],
    ['First start signal', began],
    ['Time', run.mode === 'real' ? 'real time' : 'simulated time'],
    ['Period', `${run.periodMs} ms`],
    ['Duration', `${run.durationS.toFixed(1)} s`],
    ['Commands forwarded', String(run.commandsForwarded)],
    ['Report by', `hlc-middleware ${version}`],
  ];
  return table(undefined, rows);
}

function dateOf(ns: bigint): string {
  return new Date(Number(ns / msPerNs)).toISOString();
}

const controllerColumns = [
  'Controller',
  'Replies',
  'Misses',
  'Late replies',
  'Reply p50, ms',
  'p99, ms',
  'max, ms',
  'Refused commands',
  'Safe stops',
];

function controllers({ controllers: all }: RunAnalysis): string {
  const rows = [...all].map(([id, controller]) => {
    const { p50, p99, max } = quantilesOf(controller.replyMs);
    return [
      String(id),
      String(controller.replyMs.length),
      String(controller.missesS.length),
      String(controller.lateReplies),
      ...[p50, p99, max].map((ms) => ms.toFixed(2)),
      refusedText(controller),
      String(controller.safeStops),
    ];
  });
  return table(controllerColumns, rows);
}

function refusedText({ refused }: ControllerRun): string {
  if (refused.size === 0) return '0';
  return [...refused].map(([code, count]) => `${count} × ${code}`).join(', ');
}

function replyChart({ controllers: all, periodMs, mode }: RunAnalysis): string {
  const series = [...all].map(([id, { replyMs }]) => ({
    name: `controller ${id}`,
    points: replyMs,
  }));
  const limit = mode === 'real' ? { name: `period ${periodMs} ms`, value: periodMs } : undefined;
  return timeChart('Reply time of each controller over time', 'ms', series, limit);
}

function startSignals(run: RunAnalysis): string {
  const { p50, p99, max } = quantilesOf(run.latenessUs);
  const rows: [string, string][] = [
    ['Start signals', String(run.startSignals)],
    ['With the states of an earlier period', String(run.standIns)],
    ['Skipped periods', String(run.skippedPeriods)],
    ['Lateness p50, p99, max', [p50, p99, max].map((us) => `${us.toFixed(0)} µs`).join(', ')],
  ];
  const series = [{ name: 'lateness', points: run.latenessUs }];
  return table(undefined, rows) + timeChart('Lateness of the start signals', 'µs', series);
}

function speedChart({ paths }: RunAnalysis): string {
  const series = [...paths].map(([id, points]) => ({
    name: `vehicle ${id}`,
    points: points.map(({ timeS, speed }) => ({ timeS, value: speed })),
  }));
  return timeChart('Speed of each vehicle over time', 'm/s', series);
}

function events(log: readonly LogEntry[]): string {
  if (log.length === 0) return '<p>No events.</p>';
  const rows = log.map(({ timeS, level, text, code, isMark }) => {
    const kind = isMark ? 'mark' : level >= warnLevel ? 'warning' : 'info';
    const cells = [timeS.toFixed(3), kind, code ?? '', text].map(
      (cell) => `<td>${escapeHtml(cell)}</td>`,
    );
    return `<tr class="${kind}">${cells.join('')}</tr>`;
  });
  const head = ['Time, s', 'Kind', 'Code', 'Event'].map((name) => `<th scope="col">${name}</th>`);
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function table(head: readonly string[] | undefined, rows: readonly (readonly string[])[]): string {
  const columns = head?.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`;
  });
  const top = columns === undefined ? '' : `<thead><tr>${columns}</tr></thead>`;
  return `<div class="scroll"><table>${top}<tbody>${body.join('')}</tbody></table></div>`;
}

const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1a1a1a;--soft:#5c5c5c;--grid:#d9d9d9;--warn:#8a3b00;--c0:#0b62c4;--c1:#b8450a;--c2:#1d7a38;--c3:#8a2ea8;--c4:#7d6400;--c5:#a81d49}
@media(prefers-color-scheme:dark){:root{--back:#16181b;--text:#e8e8e8;--soft:#a8a8a8;--grid:#383c42;--warn:#ffb37a;--c0:#6db1ff;--c1:#ff9e66;--c2:#6fd08a;--c3:#d391ea;--c4:#e0c44a;--c5:#ff85a8}}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:920px;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th{font-weight:600}
.notice,.warning td{color:var(--warn)}.mark td{font-weight:600}
svg{width:100%;height:auto;display:block}svg text{fill:var(--soft);font-size:11px}
.line{fill:none;stroke-width:1.4}.grid{stroke:var(--grid)}.limit{stroke:var(--soft);stroke-dasharray:4 3}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:0;margin:.3rem 0}
.swatch{display:inline-block;width:.9em;height:.9em;margin-right:.4em;vertical-align:-.1em}
${[0, 1, 2, 3, 4, 5].map((i) => `.line.c${i}{stroke:var(--c${i})}.dot.c${i}{fill:var(--c${i})}.swatch.c${i}{background:var(--c${i})}`).join('')}
`;
