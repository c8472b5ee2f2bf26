import type { Assignment } from './assignment.js';
import { checkValues } from './check-values.js';
import { readCommandLine } from './command-line.js';
import { readConfigFile, type ReadFile } from './config-file.js';
import { readEnvironment, type Environment } from './environment.js';
import { mergeSources } from './merge-sources.js';
import { resolveRunConfig } from './resolve-run-config.js';
import type { RunConfig } from './run-config.js';
import type { RunOptionKey } from './run-options.js';

/** Values, as text, that hold when no flag, variable or file says otherwise. */
export type Presets = Readonly<Partial<Record<RunOptionKey, string>>>;

/**
 * Makes the configuration of one middleware from, most binding first, the command line, the
 * environment, the file that `--config` names, the presets, and the defaults.
 * @param argv the arguments after `run`.
 * @param environment as `process.env`; only `HLC_MIDDLEWARE_…` is looked at.
 * @param readFile gives the text of the configuration file, or throws.
 * @param presets defaults of a command that is built on `run`.
 * @throws HlcError `HLC_CONFIG_…`, exit code 2; the sentence names the place, the value, the rule.
 */
export const parseRunConfig = (
  argv: readonly string[],
  environment: Environment,
  readFile: ReadFile,
  presets: Presets = {},
): RunConfig => {
  const flags = readCommandLine(argv);
  const variables = readEnvironment(environment);
  const configPath = mergeSources([flags, variables]).get('config');
  const { config } = checkValues(new Map(configPath && [['config', configPath]]));
  const file = config === undefined ? [] : readConfigFile(config, readFile);

  const given = mergeSources([flags, variables, file, presetAssignments(presets)]);
  return resolveRunConfig(checkValues(given), given);
};

const presetAssignments = (presets: Presets): Assignment[] =>
  (Object.entries(presets) as [RunOptionKey, string][]).map(([key, text]) => ({
    key,
    text,
    origin: { kind: 'preset' },
  }));
