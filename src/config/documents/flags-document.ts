import { checkCodes } from '../../core/index.js';
import { checkMeanings, checkNames } from '../options/check-options.js';
import type { CommandOptions } from '../sources/command-options.js';
import { certifyOptions } from '../options/certify-options.js';
import {
  carlaOptions,
  caveOptions,
  dancersOptions,
  synchronoOptions,
} from '../options/gateway-options.js';
import {
  compareOptions,
  recordOptions,
  recoverOptions,
  replayOptions,
  reportOptions,
} from '../options/recording-options.js';
import {
  fleetOptions,
  guardOptions,
  labControlOptions,
  playOptions,
} from '../options/lab-options.js';
import { observeOptions } from '../options/observe-options.js';
import { markdownTable } from './markdown-table.js';
import { flagName, variableName } from '../options/names.js';
import type { Option } from '../options/option.js';
import { runOption, runOptionKeys, type RunOptionKey } from '../options/run-options.js';

const introduction = `# Flags of \`hlc-middleware run\`

<!-- Generated from src/config/options/run by "npm run docs"; do not edit by hand. -->

The program uses the first value that it finds in this order:

1. the flag: \`--period-ms=50\` or \`--period-ms 50\`;
2. the environment variable: \`HLC_MIDDLEWARE_PERIOD_MS=50\`; an empty variable counts as absent;
3. the file of \`--config\` (or \`HLC_MIDDLEWARE_CONFIG\`): YAML with the flags as keys, for example
   \`period-ms: 50\` and \`vehicle-ids: [1, 2, 5]\`;
4. the default.

These rules apply to all sources:

- Every name has a spelling with underscores, as in the CPM Lab: \`--vehicle_ids=1,2\`. Start scripts of the
  CPM Lab without a command, \`hlc-middleware --vehicle_ids=1,2\`, run the middleware too.
- A true-or-false flag needs no value (\`--simulated-time\`). The words for true are \`true\`, \`True\`, \`T\` and
  \`1\`, for false \`false\`, \`False\`, \`F\` and \`0\`. The CPM Lab middleware read every other word as false;
  this program refuses it.
- An unknown name, a bad value, or a value that this version does not support ends the program with exit
  code 2 before it opens a network. Nothing is ignored.
- A flag that is given twice must have the same value both times. The CPM Lab middleware used the first one.
- \`--vehicle-ids\`, \`--vehicle-id\` and \`--vehicle-amount\` can be given together only when they name the same
  vehicles. The CPM Lab middleware preferred the id to the amount, and the amount to the list. \`-1\` means an
  absent id or amount, as it did there.
- \`--period-ms\` and \`--period-nanoseconds\` exclude each other. Without them the middleware asks the lab's
  parameter server for the period (\`middleware_period_ms\`), and for the active vehicle ids
  (\`active_vehicle_ids\`) unless \`--active-vehicle-ids\` gives them. With a period, the active vehicle ids are
  the vehicle ids unless given. In real time a period of the lab must also be longer than the offset.
- \`--time-source\` and the flags of the reply time-out need \`--simulated-time\`; \`--real-time-factor\` and
  \`--steps-until\` also need \`--time-source=self\`. A flag without effect is refused, unless its value is the
  default. \`--time-source=self\` needs no lab: the period must be given, and \`--wait-for-start\` is ignored.
- \`--compat=cpm-lab\` changes defaults; a given flag, variable or key overrides them.
- Alternatives count as one value: a \`--vehicle-id\` flag also overrides a \`vehicle-ids\` key in the file.
- \`--dds-domain\` and \`--domain-number\` must differ. On one domain the middleware would receive each command
  that it forwards, and forward it again.
- \`--lab-side\` and \`--controller-side\` replace the older flags of transport and naming, which stay accepted: the
  transport \`ros2\` is the side \`rclnodejs\`, and the naming \`ros2\` on plain DDS is the side \`ros2\`. For one side, an older
  flag from the same source must say the same; the more binding source wins.
- Paths are relative to the current folder.

\`hlc-middleware config schema\` prints a JSON schema of the file, for editors.
`;

const columns = ['Flag', 'Environment variable', 'Default', 'Value', 'Meaning'];

/** The documentation of all flags: docs/reference/flags.md, in Markdown. */
export function flagsDocument(): string {
  const groups = [...new Set(runOptionKeys.map((key) => runOption(key).group))];
  const sections = groups.map((group) => {
    const keys = runOptionKeys.filter((key) => runOption(key).group === group);
    return `## ${group}\n\n${markdownTable([columns, ...keys.map(row)])}`;
  });
  return [introduction, ...sections, checksSection(), ...commandSections, otherCommands].join('\n');
}

/** A section for the flags that commands have beside those of `run`. */
function commandSection(heading: string, text: string, options: CommandOptions): string {
  const rows = Object.entries(options).map(([key, option]) => [
    code(flagName(key)),
    defaultCell(option),
    option.value.rule,
    option.meaning,
  ]);
  return `## ${heading}\n\n${text}\n\n${markdownTable([commandColumns, ...rows])}`;
}

function furtherFlags(command: string, page: string, options: CommandOptions): string {
  return commandSection(
    `Further flags of \`${command}\``,
    `[\`hlc-middleware ${command}\`](../guide/${page}.md) has these flags. No variable and no key of the file sets them.`,
    options,
  );
}

function checksSection(): string {
  const rows = checkNames.map((name) => [code(name), code(checkCodes[name]), checkMeanings[name]]);
  return `## Checks of commands

\`--check-policy\` applies to all checks. The key \`checks\` of the file sets the policy of single checks; it
has no flag and no environment variable.

\`\`\`yaml
check-policy: reject
checks:
  pathNotClosed: flag
\`\`\`

${markdownTable([['Check', 'Code', 'Fails when'], ...rows])}`;
}

const commandColumns = ['Flag', 'Default', 'Value', 'Meaning'];

function code(text: string): string {
  return `\`${text}\``;
}

function row(key: RunOptionKey): string[] {
  const option = runOption(key);
  return [
    code(flagName(key)),
    code(variableName(key)),
    defaultCell(option),
    option.value.rule,
    option.meaning,
  ];
}

function defaultCell(option: Option<unknown>): string {
  return option.default === undefined ? (option.otherwise ?? 'none') : code(option.default);
}

const commandSections = [
  commandSection(
    'Further flags of `play`, `fleet` and `drive`',
    `[\`hlc-middleware play\`](../guide/play.md) has these flags beside those above. \`fleet\` has all of them except
\`--controllers\`, \`--own\` and \`--page\`; \`drive\` has \`--track\`. No variable and no key of the file sets them.`,
    playOptions,
  ),
  commandSection(
    'Further flags of `fleet`',
    '[`hlc-middleware fleet`](../guide/dancers.md#simulated-cars-as-physics) has these flags beside those of `run` and those it shares with `play`. No variable and no key of the file sets them.',
    Object.fromEntries(Object.entries(fleetOptions).filter(([key]) => !(key in playOptions))),
  ),
  commandSection(
    'Further flags of `guard`',
    '[`hlc-middleware guard`](../guide/safety.md#the-guard) has this flag beside those of `run`. No variable and no key of the file sets it.',
    guardOptions,
  ),
  commandSection(
    'Further flags of `lab`',
    '[`hlc-middleware lab`](../guide/lab.md) has this flag beside those of `run`. No variable and no key of the file sets it.',
    labControlOptions,
  ),
  furtherFlags('gateway carla', 'carla', carlaOptions),
  furtherFlags('gateway cave', 'cave', caveOptions),
  furtherFlags('observe', 'observe', observeOptions),
  furtherFlags('gateway dancers', 'dancers', dancersOptions),
  furtherFlags('gateway synchrono', 'synchrono', synchronoOptions),
  furtherFlags('certify', 'certify', certifyOptions),
  furtherFlags('record', 'record', recordOptions),
  commandSection(
    'Flags of `record recover`',
    '[`hlc-middleware record recover`](../guide/record.md) has this flag only.',
    recoverOptions,
  ),
  furtherFlags('replay', 'record', replayOptions),
  commandSection(
    'Flags of `compare`',
    '[`hlc-middleware compare`](../guide/record.md) has these flags only.',
    compareOptions,
  ),
  commandSection(
    'Flags of `report`',
    '[`hlc-middleware report`](../guide/record.md) has this flag only.',
    reportOptions,
  ),
];

const controlCommands = '`status`, `pause`, `resume`, `step`, `run-until`, `stop`, `mark`';

/** The flags that src/cli declares itself. */
const otherCommands = `## Flags of the other commands

The control commands also take \`--node-id\`, \`--control-socket\` and \`--config\` from the variables of \`run\`. The other
flags have no variable and no key of the file.

${markdownTable([
  ['Command', 'Flag', 'Default', 'Meaning'],
  [controlCommands, '`--node-id`', '`middleware`', 'Node id of the middleware.'],
  [
    controlCommands,
    '`--control-socket`',
    '`auto`',
    'Control socket of the middleware; auto: derived from the node id.',
  ],
  [
    controlCommands,
    '`--config`',
    'none',
    'Configuration file with the node id or the control socket.',
  ],
  [controlCommands, '`--json`', '`false`', 'Print the state as one line of JSON.'],
  ['`install-cpm-lab`', '`--apply`', '`false`', 'Make the changes.'],
  ['`install-cpm-lab`', '`--undo`', '`false`', 'Put the original middleware in its place again.'],
  [
    '`install-cpm-lab`',
    '`--packages`',
    '`/var/www/html/nuc`',
    'Folder of the packages that the computers of the lab download; no package without it.',
  ],
  ['`doctor`', '`--listen-ms`', '`2000`', 'Listening time, milliseconds.'],
  ['`doctor`', '`--json`', '`false`', 'Print the report as JSON.'],
  ['`qos check`', '`--side`', 'both', 'Print one side only: `lab` or `controller`.'],
])}`;
