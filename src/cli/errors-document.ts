import { catalogue, type ErrorCode } from '../core/errors/index.js';
import { checkCodes } from '../core/index.js';

const introduction = `# Errors

<!-- Made from src/core/errors/catalogue.ts by "hlc-middleware config errors"; do not edit by hand. -->

Every error that a user can meet has a code. One that ends the program is told on standard error, as
one sentence with the code in brackets at its end, and the exit code is the one given here; with
\`HLC_MIDDLEWARE_DEBUG=1\` the place in the program follows. One that does not end it is told in the log
or counted in the [summary](summary.md).

Words in angle brackets stand for what is different each time. A part such as "did you mean …" or
"or give it the value …" is left out where there is nothing to name.
`;

/** What is worth knowing about all codes of an area; the first one that matches has the code. */
interface Area {
  readonly title: string;
  readonly text?: string;
  readonly has: (code: ErrorCode) => boolean;
}

const codesOfChecks: readonly ErrorCode[] = Object.values(checkCodes);

const areas: readonly Area[] = [
  { title: 'Configuration', has: (code) => code.startsWith('HLC_CONFIG_') },
  {
    title: 'Ids and times',
    has: (code) => code.startsWith('HLC_TIME_') || code === 'HLC_VEHICLE_IDS',
  },
  { title: 'QoS files', has: (code) => code.startsWith('HLC_QOS_') },
  {
    title: 'Network',
    has: (code) => code.startsWith('HLC_DDS_') || code.startsWith('HLC_PEER_'),
  },
  {
    title: 'Checks of commands',
    text: 'These do not end the program. They are told in the log as the reason why a command was refused, or\nforwarded in spite of it, and counted in the [summary](summary.md). What follows a failed check is up\nto [`--check-policy`](flags.md#supervision).',
    has: (code) => codesOfChecks.includes(code),
  },
  {
    title: 'Control socket',
    text: 'Of `status`, `step`, `pause`, `resume` and `run-until`, and of the middleware that they talk to. A\nmiddleware that cannot open its default socket says so and goes on without it.',
    has: (code) => code.startsWith('HLC_CONTROL_'),
  },
  {
    title: 'Controllers in TypeScript',
    text: 'Of the SDK `hlc-middleware/controller`, as the `code` of an `HlcError`.',
    has: (code) => code.startsWith('HLC_CONTROLLER_'),
  },
  { title: 'General', has: () => true },
];

/** The documentation of all error codes: docs/reference/errors.md, in Markdown. */
export const errorsDocument = (): string => {
  const codes = (Object.keys(catalogue) as ErrorCode[]).sort();
  const sections = areas.map((area) => {
    const own = codes.filter((code) => areas.find(({ has }) => has(code)) === area);
    return [`## ${area.title}\n`, ...(area.text ? [`${area.text}\n`] : []), ...own.map(entry)];
  });
  return [introduction, ...sections.flat()].join('\n');
};

const entry = (code: ErrorCode): string => {
  const exitCode = codesOfChecks.includes(code) ? '' : `\nExit code ${catalogue[code].exitCode}:\n`;
  return `### ${code}\n${exitCode}\n\`\`\`text\n${sentencePattern(code)}\n\`\`\`\n`;
};

/** The sentence of a code with the names of its details in angle brackets. */
const sentencePattern = (code: ErrorCode): string => {
  // A list of one text reads as that text, in a template as well as joined.
  const details = new Proxy({}, { get: (_, name) => [`<${String(name)}>`] });
  return (catalogue[code].sentence as (details: object) => string)(details);
};
