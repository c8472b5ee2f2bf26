export { checkCommandOptions, type CheckValues } from './check-command-options.js';
export { checkNames } from './check-options.js';
export { checkLogLevel } from './check-values.js';
export type { RunConfig } from './run-config.js';
export { parseRunConfig, type Presets } from './parse-run-config.js';
export { parseCommandOptions, type CommandOptions, type CommandValues } from './command-options.js';
export type { ReadFile } from './config-file.js';
export { DEBUG_VARIABLE, type Environment } from './environment.js';
export { flagsDocument } from './flags-document.js';
export { commandHelpEntries, helpEntries } from './help-entries.js';
export { configFileSchema } from './json-schema.js';
export {
  driveOptions,
  fleetOptions,
  guardOptions,
  labControlOptions,
  playOptions,
  type DriveValues,
  type FleetValues,
  type GuardValues,
  type LabControlValues,
  type PlayValues,
} from './lab-options.js';
export { markdownTable } from './markdown-table.js';
export { vehicleIdList } from './value-types.js';
