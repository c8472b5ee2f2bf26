import type { CommandDifference } from './compare-commands.js';
import { damageTexts, type RecordingDamage } from './recording-damage.js';

/** The result of a replay to controllers. */
export interface ControllerReplayReport {
  readonly file: string;
  /** Start signals of the recording, and those that were sent. */
  readonly steps: number;
  readonly stepsSent: number;
  /** Records that the recorder was too slow for. */
  readonly dropped: number;
  /** What of the recording cannot be read; what is left of it was replayed. */
  readonly damage: RecordingDamage;
  readonly commandsCompared: number;
  /** SHA-256 of all commands of the controllers in their order, without times of the wall clock. */
  readonly digest: string;
  /** The first 20 differences of each vehicle, in the order of the recording. */
  readonly differences: readonly CommandDifference[];
  /** How many differences each vehicle has; one without any is left out. */
  readonly differenceCounts: Readonly<Record<string, number>>;
  readonly differenceCount: number;
  /** By vehicle: start signals without the answer that the recording has. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** Controllers that fell silent, so that the replay ended before the end of the recording. */
  readonly silent: readonly number[];
  readonly vehicles: readonly number[];
}

/** Differences that the text lists, beside the first one of each vehicle. */
const mostListed = 20;

/** True when the controllers answered all start signals as in the recording. */
export function isSame(report: ControllerReplayReport): boolean {
  return (
    report.differenceCount === 0 &&
    report.silent.length === 0 &&
    Object.keys(report.unanswered).length === 0
  );
}

/** The report in sentences. */
export function controllerText(report: ControllerReplayReport): string {
  const { file, steps, stepsSent, commandsCompared, differenceCount } = report;
  const lines = [
    `${file}: ${stepsSent} of ${steps} start signals sent, ${commandsCompared} commands compared.`,
    'Open loop: the vehicles move as in the recording, whatever the controller commands now.',
  ];
  const listed = listedDifferences(report);
  lines.push(...listed.map(differenceText), ...furtherText(differenceCount - listed.length));
  for (const [id, count] of Object.entries(report.unanswered))
    lines.push(unansweredText(id, count));
  if (report.silent.length > 0) lines.push(silentText(report.silent));
  lines.push(...incompleteTexts(report));
  if (isSame(report)) lines.push('All commands are the same.');
  return `${lines.join('\n')}\n`;
}

/** The first ones, and the first one of each vehicle: none that differs is left out. */
function listedDifferences({ differences }: ControllerReplayReport): CommandDifference[] {
  const named = new Set<number>();
  return differences.filter(({ vehicle }, i) => {
    const isFirst = !named.has(vehicle);
    named.add(vehicle);
    return isFirst || i < mostListed;
  });
}

function furtherText(count: number): string[] {
  if (count === 0) return [];
  return [`… and ${count} further ${count === 1 ? 'difference' : 'differences'}.`];
}

/** Why the recording does not have all of its run. */
function incompleteTexts({ damage, dropped }: ControllerReplayReport): string[] {
  return [...damageTexts(damage), ...(dropped > 0 ? [droppedText(dropped)] : [])];
}

function droppedText(count: number): string {
  return `The recorder was too slow for ${count} records, so commands may be missing in the recording: record again on a machine with a free core.`;
}

function unansweredText(id: string, count: number): string {
  return `Vehicle ${id}: ${count} start ${count === 1 ? 'signal' : 'signals'} without the answer that the recording has.`;
}

function silentText(silent: readonly number[]): string {
  return `No command of controller ${silent.join(', ')} any more: the replay ended there.`;
}

function differenceText(difference: CommandDifference): string {
  const { vehicle, kind, step, tNowNs, field, recorded, replayed, tolerance } = difference;
  const place = `Vehicle ${vehicle}, start signal ${step} (t_now ${tNowNs}), ${kind}`;
  if (field === null) {
    return recorded === 0
      ? `${place}: a command that the recording does not have.`
      : `${place}: no command.`;
  }
  return `${place}, ${field}: recorded ${recorded ?? 'none'}, now ${replayed ?? 'none'}, tolerance ${tolerance}.`;
}

/** The report as JUnit XML, one test case per vehicle, for the view of a CI. */
export function junitOf(report: ControllerReplayReport): string {
  const cases = report.vehicles.map((id) => {
    const differences = report.differences.filter(({ vehicle }) => vehicle === id);
    const count = report.differenceCounts[String(id)] ?? 0;
    const failures = [
      ...differences.map(differenceText),
      ...furtherText(count - differences.length),
      ...Object.entries(report.unanswered)
        .filter(([vehicle]) => vehicle === String(id))
        .map(([vehicle, count]) => unansweredText(vehicle, count)),
      ...(report.silent.includes(id) ? [silentText([id])] : []),
    ];
    const [first] = failures;
    const name = `<testcase classname="${escaped(report.file)}" name="vehicle ${id}"`;
    if (first === undefined) return `    ${name}/>`;
    const text = escaped(failures.join('\n'));
    return `    ${name}>\n      <failure message="${escaped(first)}">${text}</failure>\n    </testcase>`;
  });
  const failed = cases.filter((each) => each.includes('<failure')).length;
  const notes = incompleteTexts(report).map(escaped);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="hlc-middleware replay" tests="${cases.length}" failures="${failed}">`,
    ...cases,
    ...(notes.length > 0 ? [`    <system-out>${notes.join('\n')}</system-out>`] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\t\n\r\x20-\uFFFD]/g, '?');
}
