import { nsPerMs } from '../core/index.js';
import { escapeHtml, mapChart, timeChart } from './charts.js';
import { htmlPage, noticesHtml, table } from './html-page.js';
import { noticesOf, type RunAnalysis } from './run-analysis.js';

/** pino's number of a warning. */
const warnLevel = 40;

/** The run as one HTML file with its charts, without scripts and without anything from outside. */
export function reportPage(run: RunAnalysis, version: string): string {
  return htmlPage(
    `Run of ${run.nodeId}`,
    `${noticesHtml(noticesOf(run))}
${facts(run, version)}
<h2>Controllers</h2>
${controllers(run)}
<h2>Reply times${overClock(run, 'wall-clock')}</h2>
${replyChart(run)}
<h2>Start signals${overClock(run, 'wall-clock')}</h2>
${startSignals(run)}
<h2>Map</h2>
${mapChart('Paths of the vehicles', run.paths)}
<h2>Speeds${overClock(run, 'simulated')}</h2>
${speedChart(run)}
<h2>Events${overClock(run, 'wall-clock')}</h2>
${events(run)}`,
  );
}

/** In simulated time the two clocks differ, so a heading names the one of its times. */
function overClock({ mode }: RunAnalysis, clock: 'wall-clock' | 'simulated'): string {
  return mode === 'real' ? '' : `, in ${clock} time`;
}

function facts(run: RunAnalysis, version: string): string {
  const began = run.beganNs === null ? 'no start signal' : dateOf(run.beganNs);
  const rows: [string, string][] = [
    ['Recording', run.file],
    ['First start signal', began],
    ['Time', run.mode === 'real' ? 'real time' : 'simulated time'],
    ['Period', `${run.periodMs} ms`],
    ['Duration', `${run.durationS.toFixed(1)} s${overClock(run, 'wall-clock')}`],
    ...simulatedDuration(run),
    ['Commands forwarded', String(run.commandsForwarded)],
    ...otherRefusals(run),
    ['Report by', `hlc-middleware ${version}`],
  ];
  return table(undefined, rows);
}

function simulatedDuration({ mode, simulatedS }: RunAnalysis): [string, string][] {
  return mode === 'real' ? [] : [['Simulated duration', `${simulatedS.toFixed(1)} s`]];
}

function otherRefusals({ otherRefusals: refused }: RunAnalysis): [string, string][] {
  const name = 'Refused commands for vehicles without a controller here';
  return refused.size === 0 ? [] : [[name, refusedText(refused)]];
}

function dateOf(ns: bigint): string {
  return new Date(Number(ns / nsPerMs)).toISOString();
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
    const { p50, p99, max } = controller.replyMs.quantiles;
    return [
      String(id),
      String(controller.replyMs.count),
      String(controller.misses),
      String(controller.lateReplies),
      ...[p50, p99, max].map((ms) => ms.toFixed(2)),
      refusedText(controller.refused),
      String(controller.safeStops),
    ];
  });
  return table(controllerColumns, rows);
}

function refusedText(refused: ReadonlyMap<string, number>): string {
  if (refused.size === 0) return '0';
  return [...refused].map(([code, count]) => `${count} × ${code}`).join(', ');
}

function replyChart({ controllers: all, periodMs, mode }: RunAnalysis): string {
  const series = [...all].map(([id, { replyMs }]) => ({
    name: `controller ${id}`,
    points: replyMs.points,
  }));
  const limit = mode === 'real' ? { name: `period ${periodMs} ms`, value: periodMs } : undefined;
  return timeChart('Reply time of each controller over time', 'ms', series, limit);
}

function startSignals(run: RunAnalysis): string {
  const { p50, p99, max } = run.latenessUs.quantiles;
  const rows: [string, string][] = [
    ['Start signals', String(run.startSignals)],
    ['With the states of an earlier period', String(run.standIns)],
    ['Skipped periods', String(run.skippedPeriods)],
    ['Lateness p50, p99, max', [p50, p99, max].map((us) => `${us.toFixed(0)} µs`).join(', ')],
  ];
  const series = [{ name: 'lateness', points: run.latenessUs.points }];
  return table(undefined, rows) + timeChart('Lateness of the start signals', 'µs', series);
}

function speedChart({ speeds }: RunAnalysis): string {
  const series = [...speeds].map(([id, { points }]) => ({ name: `vehicle ${id}`, points }));
  return timeChart('Speed of each vehicle over time', 'm/s', series);
}

function events({ log, logLeftOut }: RunAnalysis): string {
  if (log.length === 0) return '<p>No events.</p>';
  const rows = log.map(({ timeS, level, text, code, isMark }) => {
    const kind = isMark ? 'mark' : level >= warnLevel ? 'warning' : 'info';
    const cells = [timeS.toFixed(3), kind, code ?? '', text].map(
      (cell) => `<td>${escapeHtml(cell)}</td>`,
    );
    return `<tr class="${kind}">${cells.join('')}</tr>`;
  });
  const more = logLeftOut === 0 ? '' : `<p>${logLeftOut} later events are left out.</p>`;
  const head = ['Time, s', 'Kind', 'Code', 'Event'].map((name) => `<th scope="col">${name}</th>`);
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${more}`;
}
