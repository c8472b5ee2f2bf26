import { catalogue, errorAreas, type ErrorCode } from '../errors/index.js';

const introduction = `# Errors

<!-- Generated from src/errors/catalogue by "npm run docs"; do not edit by hand. -->

Every error that a user can meet has a code. An error that ends the program prints one sentence on standard
error, with the code in brackets at its end, and the program ends with the exit code given here. With
\`HLC_MIDDLEWARE_DEBUG=1\` the stack follows. Other errors appear in the log or as a count in the
[summary](summary.md).

Words in angle brackets stand for the values of one case. A part such as "did you mean …" or "or give it the
value …" is left out without a value.
`;

/** The sections of the page: title, and what is true of all errors of the area. */
const sections: Record<keyof typeof errorAreas, readonly [title: string, text?: string]> = {
  configuration: ['Configuration'],
  qos: ['QoS files'],
  network: ['Network'],
  ros2: ['ROS 2'],
  sdk: [
    'Controllers and vehicles in TypeScript',
    'These come from the SDKs `hlc-middleware/controller` and `hlc-middleware/sides`, as the `code` of an\n`HlcError`. The simulated vehicles report them, too.',
  ],
  commands: [
    'Checks of commands',
    'These do not end the program. The log names them as the reason why a command was refused, or forwarded\nwith a report; the [summary](summary.md) counts them. [`--check-policy`](flags.md#supervision) decides what\nfollows a failed check.',
  ],
  run: ['Runs'],
  control: [
    'Control socket',
    'These come from the commands that control a running middleware, and from the middleware itself.\nA middleware that cannot make its default socket reports it and runs without it.',
  ],
  observing: ['Observers and recordings'],
  gateway: ['Gateways'],
  tool: ['Check and installation'],
};

/** The documentation of all error codes: docs/reference/errors.md, in Markdown. */
export function errorsDocument(): string {
  const areas = Object.entries(sections).flatMap(([area, [title, text]]) => {
    const codes = Object.keys(errorAreas[area as keyof typeof errorAreas]) as ErrorCode[];
    return [
      `## ${title}\n`,
      ...(text === undefined ? [] : [`${text}\n`]),
      ...codes.sort().map(entry),
    ];
  });
  return [introduction, ...areas].join('\n');
}

function entry(code: ErrorCode): string {
  const exitCode = code in errorAreas.commands ? '' : `\nExit code ${catalogue[code].exitCode}:\n`;
  return `### ${code}\n${exitCode}\n\`\`\`text\n${sentencePattern(code)}\n\`\`\`\n`;
}

/** The sentence of a code with the names of its details in angle brackets. */
function sentencePattern(code: ErrorCode): string {
  // A list of one text reads as that text, in a template as well as joined.
  const details = new Proxy({}, { get: (_, name) => [`<${String(name)}>`] });
  const sentence = (catalogue[code].sentence as (details: object) => string)(details);
  // A duration in ns that the sentence gives in ms.
  return sentence.replace(/<(\w+)Ns> ms\b/g, '<$1> ms');
}
