import { countOf } from '../../errors/index.js';
import type { ControllerSummary, Quantiles, RunSummary } from '../observers/run-summary.js';

type Row = [name: string, value: string];

/** The summary as lines for a person. */
export function summaryText(summary: RunSummary): string {
  const rows: Row[] = [
    ['periods', `${summary.periods} (${summary.skipped_periods} skipped)`],
    [
      'start signals',
      `${summary.start_signals}${repeated(summary)}, late by ${quantiles(summary.start_signal_lateness_us)}`,
    ],
    ['commands forwarded', counts(summary.commands_forwarded)],
    ['commands refused', counts(summary.commands_refused)],
    ...(Object.keys(summary.commands_flagged).length > 0
      ? [['commands flagged', `${counts(summary.commands_flagged)} failed checks`] as Row]
      : []),
    ...(Object.keys(summary.samples_malformed).length > 0
      ? [['malformed samples', counts(summary.samples_malformed)] as Row]
      : []),
    ['replies', `after ${quantiles(summary.reply_time_us)}`],
    ...Object.entries(summary.controllers).map(([id, controller]): Row => [
      `controller ${id}`,
      `${countOf(controller.replies, 'reply', 'replies')}, ${countOf(controller.misses, 'miss', 'misses')}, ${stops(controller)}after ${quantiles(controller.reply_time_us)}`,
    ]),
    ...Object.entries(summary.vehicles).map(([id, vehicle]): Row => [
      `vehicle ${id}`,
      `drove ${vehicle.distance_m.toFixed(2)} m`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function repeated({ start_signals_repeated: count }: RunSummary): string {
  return count === 0 ? '' : ` (${count} with the content of an earlier one)`;
}

function stops({ safe_stops, latched }: ControllerSummary): string {
  if (safe_stops === 0) return '';
  return `${countOf(safe_stops, 'safe stop')}${latched ? ' (stopped at the end)' : ''}, `;
}

function quantiles(us: Quantiles): string {
  return `p50 ${milliseconds(us.p50)}, p99 ${milliseconds(us.p99)}, max ${milliseconds(us.max)}`;
}

function milliseconds(us: number): string {
  return `${(us / 1000).toFixed(3)} ms`;
}

function counts(byKey: Readonly<Record<string, number>>): string {
  const entries = Object.entries(byKey);
  if (entries.length === 0) return 'none';
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return `${total} (${entries.map(([key, count]) => `${key} ${count}`).join(', ')})`;
}
