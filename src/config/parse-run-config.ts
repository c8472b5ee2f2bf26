import type { Assignment } from './assignment.js';
import { checkValues } from './check-values.js';
import { readCommandLine } from './command-line.js';
import { readConfigFile, type FileContent, type ReadFile } from './config-file.js';
import { readEnvironment, type Environment } from './environment.js';
import { mergeSources, type GivenValues } from './merge-sources.js';
import { resolveRunConfig } from './resolve-run-config.js';
import type { RunConfig } from './run-config.js';
import type { RunOptionKey } from './run-options.js';

/** Values, as text, that hold when no flag, variable or file says otherwise. */
export type Presets = Readonly<Partial<Record<RunOptionKey, string>>>;

/**
 * Makes the configuration of one middleware from, most binding first, the command line, the
 * environment, the file that `--config` names, the presets, and the defaults.
 * @param argv the arguments after `run`.
 * @param environment as `process.env`; only `HLC_MIDDLEWARE_…` and `XDG_RUNTIME_DIR` are looked at.
 * @param readFile gives the text of the configuration file, or throws.
 * @param presets defaults of a command that is built on `run`.
 * @throws HlcError `HLC_CONFIG_…` or `HLC_TIME_OFFSET`, exit code 2; the sentence names the place,
 *   the value, the rule.
 */
export const parseRunConfig = (
  argv: readonly string[],
  environment: Environment,
  readFile: ReadFile,
  presets: Presets = {},
): RunConfig => {
  const { assignments: flags, unknown } = readCommandLine(argv);
  const variables = readEnvironment(environment);
  const early = mergeSources([flags, variables, presetAssignments(presets)]);
  const [first] = unknown;
  // A configuration file cannot make up for what is wrong on the command line.
  if (first !== undefined && early.get('compat')?.text !== 'cpm-lab') throw first.error;
  const { config } = checkValues(only('config', early));
  const file = config === undefined ? nothing : readConfigFile(config, readFile);

  const sources = [flags, variables, file.assignments, presetAssignments(presets)];
  const { compat } = checkValues(only('compat', mergeSources(sources)));
  const given = mergeSources([...sources, presetAssignments(compatibilityPresets[compat])]);
  const ignoredArguments = unknown.map(({ argument }) => argument);
  return resolveRunConfig(checkValues(given), given, file.checks, ignoredArguments, environment);
};

/** What the defaults are with `--compat`. */
const compatibilityPresets: Readonly<Record<RunConfig['compat'], Presets>> = {
  none: {},
  'cpm-lab': { checkPolicy: 'flag', missPolicy: 'log', absentVehicles: 'default' },
};

const nothing: FileContent = { assignments: [], checks: {} };

/** An option that must be known before the others. */
const only = (key: RunOptionKey, given: GivenValues): GivenValues => {
  const assignment = given.get(key);
  return new Map(assignment && [[key, assignment]]);
};

const presetAssignments = (presets: Presets): Assignment[] =>
  (Object.entries(presets) as [RunOptionKey, string][]).map(([key, text]) => ({
    key,
    text,
    origin: { kind: 'preset' },
  }));
