import { styleText } from 'node:util';
import { printable } from '../core/index.js';
import type { Check, DoctorReport, DomainReport } from './report.js';

type State = Check['state'];

const marks: Readonly<Record<State, string>> = { ok: '✓', advice: '!', problem: '✗' };
const colours = { ok: 'green', advice: 'yellow', problem: 'red' } as const;

/** The report for a person. */
export function reportText(report: DoctorReport, colour: boolean): string {
  const mark = (state: State) =>
    colour ? styleText(colours[state], marks[state], { validateStream: false }) : marks[state];
  const { checks, domains, domains_in_use: inUse, findings, listened_ms: listened } = report;
  const checkLines = checks.flatMap(({ name, state, found, advice }) => [
    `  ${mark(state)} ${name}: ${found}`,
    ...(advice === undefined ? [] : [`      ${advice}`]),
  ]);
  const findingLines = findings.flatMap(({ what, advice }) => [
    `  ${mark('problem')} ${what}`,
    `      ${advice}`,
  ]);
  const problems = findings.length + checks.filter(({ state }) => state === 'problem').length;
  return [
    'This machine',
    ...checkLines,
    '',
    ...domains.flatMap((domain) => [...domainLines(domain, listened), '']),
    ...(inUse.length === 0 || domains.length === 0
      ? []
      : [`Programs of this machine use DDS domain ${inUse.join(', ')}.`, '']),
    ...(findings.length === 0 ? [] : ['Mismatches', ...findingLines, '']),
    problems === 0
      ? noProblem(domains, mark)
      : `${mark('problem')} ${problems} ${problems === 1 ? 'problem' : 'problems'}`,
    '',
  ].join('\n');
}

/** An empty domain is not a pass: the user expects participants. */
function noProblem(domains: readonly DomainReport[], mark: (state: State) => string): string {
  const empty =
    domains.length > 0 && domains.every(({ participants }) => participants.length === 0);
  if (!empty) return `${mark('ok')} no problem found`;
  return `${mark('advice')} no problem found, and no participant discovered: check that a program runs on these domains and this interface, and that its CYCLONEDDS_URI (or the settings of its own DDS) lets it discover others there`;
}

function domainLines(
  { side, domain_id: domainId, participants, ready_signals: signals }: DomainReport,
  listenedMs: number,
): string[] {
  const title = `Discovered on DDS domain ${domainId}, the ${side} side, within ${listenedMs} ms`;
  if (participants.length === 0) return [title, '  no participants'];
  return [
    title,
    ...participants.flatMap(
      ({ guid_prefix: guid, vendor, name, process, pid, host, endpoints }) => {
        const parts = [
          name,
          process,
          pid === undefined ? undefined : `process ${pid}`,
          host,
          vendor,
        ];
        const who = parts.flatMap((part) => (part === undefined ? [] : [printable(part)]));
        const sent = signals.filter((signal) => signal.guid_prefix === guid);
        return [
          `  ${who.join(', ')} (${guid})`,
          ...(sent.length === 0
            ? []
            : [
                `    ready signals: ${sent.map(({ source_id }) => `"${printable(source_id)}"`).join(', ')}`,
              ]),
          ...endpoints.map(
            ({ kind, topic, type, reliability, durability, fits }) =>
              `    ${kind} ${printable(topic)} (${printable(type)}), ${reliability}, ${durability}${fits === false ? ': does not fit' : ''}`,
          ),
        ];
      },
    ),
  ];
}
