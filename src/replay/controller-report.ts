import type { CommandDifference } from './compare-commands.js';

/** The result of a replay to controllers. */
export interface ControllerReplayReport {
  readonly file: string;
  /** Start signals of the recording, and those that were sent. */
  readonly steps: number;
  readonly stepsSent: number;
  /** Records that the recorder was too slow for. */
  readonly dropped: number;
  readonly commandsCompared: number;
  /** SHA-256 of all commands of the controllers in their order, without times of the wall clock. */
  readonly digest: string;
  /** The first differences, and how many there are. */
  readonly differences: readonly CommandDifference[];
  readonly differenceCount: number;
  /** By vehicle: start signals without the answer that the recording has. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** Controllers that fell silent, so that the replay ended before the end of the recording. */
  readonly silent: readonly number[];
  readonly vehicles: readonly number[];
}

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
  const { file, steps, stepsSent, commandsCompared, differences, differenceCount } = report;
  const lines = [
    `${file}: ${stepsSent} of ${steps} start signals sent, ${commandsCompared} commands compared.`,
    'Open loop: the vehicles move as in the recording, whatever the controller commands now.',
  ];
  for (const difference of differences) lines.push(differenceText(difference));
  const more = differenceCount - differences.length;
  if (more > 0) lines.push(`… and ${more} further ${more === 1 ? 'difference' : 'differences'}.`);
  for (const [id, count] of Object.entries(report.unanswered))
    lines.push(unansweredText(id, count));
  if (report.silent.length > 0) lines.push(silentText(report.silent));
  if (report.dropped > 0) lines.push(droppedText(report.dropped));
  if (isSame(report)) lines.push('All commands are the same.');
  return `${lines.join('\n')}\n`;
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
    const failures = [
      ...report.differences.filter(({ vehicle }) => vehicle === id).map(differenceText),
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
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="hlc-middleware replay" tests="${cases.length}" failures="${failed}">`,
    ...cases,
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
