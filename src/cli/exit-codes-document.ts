import { markdownTable } from '../config/index.js';
import { catalogue, ExitCode, type ErrorCode } from '../errors/index.js';
import { checkCodes } from '../core/index.js';
import type { ExitCodeName } from './exit-code-help.js';

const introduction = `# Exit codes

<!-- Generated from src/cli/exit-codes-document.ts and src/errors/catalogue by "npm run docs"; do not edit by hand. -->

The exit codes of \`hlc-middleware\`. [\`certify\`](certification.md#exit-codes) gives the codes 0, 1 and 3 a meaning of
its own.
`;

const meanings: Readonly<Record<ExitCodeName, string>> = {
  ok: 'Done: the requested periods are over, simulated time reached its end, or the lab stopped the run.',
  failure:
    'A network, a file or a program failed at run time. `replay` with `--rules` or `--controller`: something differs, or was not compared.',
  usage:
    'The command line or a file is wrong; the message names the flag or line, the value and the rule. `doctor`: a finding or a problem.',
  readinessTimeout:
    'The ready signals, an answer of the lab, its start trigger, or in simulated time its next trigger did not arrive in time. `gateway synchrono`: the nodes of `--peers` did not.',
  lockStepHalt:
    'A policy is `halt`: a step of simulated time or a node of SynChrono was not answered in time, or the middleware was late for a period.',
  safetyStop:
    'Done without a signal, and at least one controller that was stopped was not resumed; a signal gives its own code.',
  fault:
    'A fault inside this program: it sent an emergency stop to the vehicles that were commanded, and the stop to the controllers.',
  stillMoving:
    'The run ended, and a vehicle was not known to stand when `--end-timeout-ms` was over; this code replaces that of a signal.',
  sighup: 'Clean end after SIGHUP.',
  sigint: 'Clean end after SIGINT (Ctrl-C).',
  sigterm: 'Clean end after SIGTERM.',
};

/** The documentation of all exit codes: docs/reference/exit-codes.md, in Markdown. */
export function exitCodesDocument(): string {
  const names = Object.keys(meanings) as ExitCodeName[];
  const rows = names.map((name) => [String(ExitCode[name]), meanings[name]]);
  const sections = names.flatMap((name) => {
    const codes = codesWith(ExitCode[name]);
    return codes.length === 0 ? [] : [errorSection(ExitCode[name], codes)];
  });
  return [
    introduction,
    `## Codes\n\n${markdownTable([['Code', 'Meaning'], ...rows])}`,
    '## Errors by exit code\n\nAn error that ends the program decides its exit code.\n',
    ...sections,
  ].join('\n');
}

/** Errors that end the program with this exit code. */
function codesWith(exitCode: ExitCode): ErrorCode[] {
  // A failed check of a command does not end the program.
  const checks: readonly ErrorCode[] = Object.values(checkCodes);
  return (Object.keys(catalogue) as ErrorCode[])
    .filter((code) => catalogue[code].exitCode === exitCode && !checks.includes(code))
    .sort();
}

function errorSection(exitCode: ExitCode, codes: readonly ErrorCode[]): string {
  const links = codes.map((code) => `- [${code}](errors.md#${code.toLowerCase()})\n`);
  return `### Exit code ${exitCode}\n\n${links.join('')}`;
}
