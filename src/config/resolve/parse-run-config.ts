import type { Assignment } from '../sources/assignment.js';
import { checkValues } from './check-values.js';
import { readCommandLine } from '../sources/command-line.js';
import { readConfigFile, type FileContent, type ReadFile } from '../sources/config-file.js';
import { readEnvironment, type Environment } from '../sources/environment.js';
import { mergeSources, type GivenValues } from '../sources/merge-sources.js';
import { resolveRunConfig } from './resolve-run-config.js';
import {
  readRemapRules,
  readRosSource,
  remappedNode,
  rosNodeName,
  splitArguments,
  topicRemaps,
  withoutParameters,
} from '../sources/ros/index.js';
import type { RunConfig } from './run-config.js';
import { runOption, type RunOptionKey } from '../options/run-options.js';

/** Values, as text, that hold when no flag, variable or file says otherwise. */
export type Presets = Readonly<Partial<Record<RunOptionKey, string>>>;

/**
 * Makes the configuration of one middleware from, most binding first, the command line, the
 * parameters of ROS 2 on it (after `--ros-args`), the environment, the file that `--config` names,
 * the presets, and the defaults.
 * @param argv the arguments after `run`.
 * @param environment as `process.env`; only `HLC_MIDDLEWARE_…`, `XDG_RUNTIME_DIR` and
 *   `ROS_DOMAIN_ID` are looked at.
 * @param readFile gives the text of a configuration or parameter file, or throws.
 * @param presets defaults of a command that is built on `run`.
 * @throws HlcError `HLC_CONFIG_…` or `HLC_TIME_OFFSET`, exit code 2; the sentence names the place,
 *   the value, the rule.
 */
export function parseRunConfig(
  argv: readonly string[],
  environment: Environment,
  readFile: ReadFile,
  presets: Presets = {},
): RunConfig {
  const { own, ros } = splitArguments(argv);
  const { assignments: flags, unknown } = readCommandLine(own);
  const variables = readEnvironment(environment);
  const nodeId = mergeSources([flags, variables]).get('nodeId')?.text;
  const rules = readRemapRules(ros);
  const nodeOf = (id: string) => remappedNode(rules, rosNodeName(id));
  const parameters = readRosSource(
    ros,
    nodeOf(nodeId ?? presets.nodeId ?? runOption('nodeId').default ?? ''),
    readFile,
  );
  const early = mergeSources([
    flags,
    parameters.assignments,
    variables,
    presetAssignments(presets),
  ]);
  const [first] = unknown;
  // A configuration file cannot make up for what is wrong on the command line.
  if (first !== undefined && early.get('compat')?.text !== 'cpm-lab') throw first.error;
  const { config } = checkValues(only('config', early));
  const file = config === undefined ? nothing : readConfigFile(config, readFile);

  const sources = [
    flags,
    parameters.assignments,
    variables,
    file.assignments,
    presetAssignments(presets),
  ];
  const { compat } = checkValues(only('compat', mergeSources(sources)));
  const given = mergeSources([...sources, presetAssignments(compatibilityPresets[compat])]);
  const ignoredArguments = unknown.map(({ argument }) => argument);
  const values = checkValues(given);
  // A parameter or a file may have named the node.
  const node = nodeOf(values.nodeId);
  return resolveRunConfig(values, given, {
    checks: file.checks,
    ignoredArguments,
    environment,
    ros: {
      arguments: withoutParameters(ros),
      node,
      topicRemaps: topicRemaps(rules, node),
      useSimTime: parameters.useSimTime,
      startTypeDescription: parameters.startTypeDescription,
    },
  });
}

/** What the defaults are with `--compat`. */
const compatibilityPresets: Readonly<Record<RunConfig['compat'], Presets>> = {
  none: {},
  'cpm-lab': {
    checkPolicy: 'flag',
    missPolicy: 'log',
    absentVehicles: 'default',
    localAddresses: 'all',
  },
};

const nothing: FileContent = { assignments: [], checks: {} };

/** An option that must be known before the others. */
function only(key: RunOptionKey, given: GivenValues): GivenValues {
  const assignment = given.get(key);
  return new Map(assignment && [[key, assignment]]);
}

function presetAssignments(presets: Presets): Assignment[] {
  return (Object.entries(presets) as [RunOptionKey, string][]).map(([key, text]) => ({
    key,
    text,
    origin: { kind: 'preset' },
  }));
}
