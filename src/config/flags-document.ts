import { checkCodes } from '../core/index.js';
import { checkMeanings, checkNames } from './check-options.js';
import type { CommandOptions } from './command-options.js';
import { checkCommandOptions } from './check-command-options.js';
import { playOptions } from './lab-options.js';
import { markdownTable } from './markdown-table.js';
import { flagName, variableName } from './names.js';
import type { Option } from './option.js';
import { runOption, runOptionKeys, type RunOptionKey } from './run-options.js';

const introduction = `# Flags of \`hlc-middleware run\`

<!-- Made from src/config/run-options.ts by "hlc-middleware config flags"; do not edit by hand. -->

A value comes from the first of these that gives one:

1. the flag: \`--period-ms=50\` or \`--period-ms 50\`;
2. the environment variable: \`HLC_MIDDLEWARE_PERIOD_MS=50\`; an empty variable counts as not set;
3. the file that \`--config\` (or \`HLC_MIDDLEWARE_CONFIG\`) names: YAML with the flags as keys, for
   example \`period-ms: 50\` and \`vehicle-ids: [1, 2, 5]\`;
4. the default.

The rules are the same everywhere:

- Every name may be written with underscores, as in the CPM Lab: \`--vehicle_ids=1,2\`. Start scripts
  of the CPM Lab that name no command, \`hlc-middleware --vehicle_ids=1,2\`, run the middleware too.
- A true-or-false flag may stand alone (\`--simulated-time\`). The words for true are \`true\`, \`True\`,
  \`T\` and \`1\`, for false \`false\`, \`False\`, \`F\` and \`0\`. The CPM Lab middleware took any other word
  for false; here it is refused.
- An unknown name, a bad value, or a value that this version does not serve ends the program with
  exit code 2 before it opens a network. Nothing is ignored.
- A flag that is given twice must have the same value both times. The CPM Lab middleware took the
  first.
- \`--vehicle-ids\`, \`--vehicle-id\` and \`--vehicle-amount\` may be given together only when they name
  the same vehicles. The CPM Lab middleware took the id before the amount before the list. \`-1\`
  stands for an id or amount that is not given, as it did there.
- \`--period-ms\` and \`--period-nanoseconds\` exclude each other. Without them the period is asked from
  the lab's parameter server (\`middleware_period_ms\`), and so are the active vehicle ids
  (\`active_vehicle_ids\`) unless \`--active-vehicle-ids\` gives them. With a period given, the active
  vehicle ids are the vehicle ids unless given, too. In real time a period that the lab gives must
  be longer than the offset as well.
- \`--time-source\` and the flags of the reply time-out need \`--simulated-time\`; \`--real-time-factor\`
  and \`--steps-until\` need \`--time-source=self\`, too. Where a flag would have no effect, it is refused,
  unless its value is the default. With \`--time-source=self\` no lab is needed: the period must be
  given, and \`--wait-for-start\` does not count.
- \`--compat=cpm-lab\` changes defaults; a flag, variable or key that is given still counts.
- Alternatives count as one value: a \`--vehicle-id\` flag also sets aside a \`vehicle-ids\` key in the
  file.
- \`--dds-domain\` and \`--domain-number\` must differ. On one domain the middleware would receive each
  command that it forwards, and forward it again.
- Paths are relative to the folder in which the program is started.

\`hlc-middleware config schema\` prints a JSON schema of the file, for editors.
`;

const columns = ['Flag', 'Environment variable', 'Default', 'Value', 'Meaning'];

/** The documentation of all flags: docs/reference/flags.md, in Markdown. */
export const flagsDocument = (): string => {
  const groups = [...new Set(runOptionKeys.map((key) => runOption(key).group))];
  const sections = groups.map((group) => {
    const keys = runOptionKeys.filter((key) => runOption(key).group === group);
    return `## ${group}\n\n${markdownTable([columns, ...keys.map(row)])}`;
  });
  return [introduction, ...sections, checksSection(), ...commandSections].join('\n');
};

/** A section for the flags that commands have beside those of `run`. */
const commandSection = (heading: string, text: string, options: CommandOptions): string => {
  const rows = Object.entries(options).map(([key, option]) => [
    code(flagName(key)),
    defaultCell(option),
    option.value.rule,
    option.meaning,
  ]);
  return `## ${heading}\n\n${text}\n\n${markdownTable([commandColumns, ...rows])}`;
};

const checksSection = (): string => {
  const rows = checkNames.map((name) => [code(name), code(checkCodes[name]), checkMeanings[name]]);
  return `## Checks of commands

What \`--check-policy\` says for all checks, the key \`checks\` of the file says for single ones. It has
no flag and no environment variable.

\`\`\`yaml
check-policy: reject
checks:
  pathNotClosed: flag
\`\`\`

${markdownTable([['Check', 'Code', 'What it finds wrong'], ...rows])}`;
};

const commandColumns = ['Flag', 'Default', 'Value', 'Meaning'];

const code = (text: string): string => `\`${text}\``;

const row = (key: RunOptionKey): string[] => {
  const option = runOption(key);
  return [
    code(flagName(key)),
    code(variableName(key)),
    defaultCell(option),
    option.value.rule,
    option.meaning,
  ];
};

const defaultCell = (option: Option<unknown>): string =>
  option.default === undefined ? (option.otherwise ?? 'none') : code(option.default);

const commandSections = [
  commandSection(
    'Further flags of `play`, `fleet` and `drive`',
    `[\`hlc-middleware play\`](../guide/play.md) has these beside the flags above. \`fleet\` has them, too, without
\`--controllers\` and \`--own\`, and \`drive\` has \`--track\`. They are flags only: no variable and no file
sets them.`,
    playOptions,
  ),
  commandSection(
    'Further flags of `check`',
    '[`hlc-middleware check`](../guide/certify.md) has these. They are flags only, too.',
    checkCommandOptions,
  ),
];
