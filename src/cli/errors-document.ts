import { catalogue, type ErrorCode } from '../errors/index.js';
import { checkCodes } from '../core/index.js';

const introduction = `# Errors

<!-- Generated from src/errors/catalogue.ts by "npm run docs"; do not edit by hand. -->

Every error that a user can meet has a code. An error that ends the program prints one sentence on standard
error, with the code in brackets at its end, and the program ends with the exit code given here. With
\`HLC_MIDDLEWARE_DEBUG=1\` the stack follows. Other errors appear in the log or as a count in the
[summary](summary.md).

Words in angle brackets stand for the values of one case. A part such as "did you mean …" or "or give it the
value …" is left out without a value.
`;

/** A section of the page. A code belongs to the first area that accepts it. */
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
    has: (code) =>
      code.startsWith('HLC_DDS_') || code.startsWith('HLC_PEER_') || code.startsWith('HLC_SAMPLE_'),
  },
  {
    title: 'Checks of commands',
    text: 'These do not end the program. The log names them as the reason why a command was refused, or forwarded\nwith a report; the [summary](summary.md) counts them. [`--check-policy`](flags.md#supervision) decides what\nfollows a failed check.',
    has: (code) => codesOfChecks.includes(code),
  },
  {
    title: 'Control socket',
    text: 'These come from `status`, `step`, `pause`, `resume` and `run-until`, and from the middleware that they\naddress. A middleware that cannot open its default socket reports it and runs without it.',
    has: (code) => code.startsWith('HLC_CONTROL_'),
  },
  {
    title: 'Controllers in TypeScript',
    text: 'These come from the SDK `hlc-middleware/controller`, as the `code` of an `HlcError`.',
    has: (code) => code.startsWith('HLC_CONTROLLER_'),
  },
  {
    title: 'Vehicles in TypeScript',
    text: 'Of the SDK `hlc-middleware/sides`, as the `code` of an `HlcError`; the simulated vehicles report them, too.',
    has: (code) => code.startsWith('HLC_VEHICLES_'),
  },
  { title: 'General', has: () => true },
];

/** The documentation of all error codes: docs/reference/errors.md, in Markdown. */
export function errorsDocument(): string {
  const codes = (Object.keys(catalogue) as ErrorCode[]).sort();
  const sections = areas.map((area) => {
    const own = codes.filter((code) => areas.find(({ has }) => has(code)) === area);
    return [`## ${area.title}\n`, ...(area.text ? [`${area.text}\n`] : []), ...own.map(entry)];
  });
  return [introduction, ...sections.flat()].join('\n');
}

function entry(code: ErrorCode): string {
  const exitCode = codesOfChecks.includes(code) ? '' : `\nExit code ${catalogue[code].exitCode}:\n`;
  return `### ${code}\n${exitCode}\n\`\`\`text\n${sentencePattern(code)}\n\`\`\`\n`;
}

/** The sentence of a code with the names of its details in angle brackets. */
function sentencePattern(code: ErrorCode): string {
  // A list of one text reads as that text, in a template as well as joined.
  const details = new Proxy({}, { get: (_, name) => [`<${String(name)}>`] });
  return (catalogue[code].sentence as (details: object) => string)(details);
}
