export { certifyOptions, type CertifyValues } from './options/certify-options.js';
export { flagName } from './options/names.js';
export type { RunOptionKey } from './options/run-options.js';
export { checkNames } from './options/check-options.js';
export { siblingSocket } from './resolve/control-socket.js';
export { checkLogLevel } from './resolve/check-values.js';
export type {
  OutputSettings,
  RunConfig,
  SafetySettings,
  SessionSettings,
  SideKind,
  SideSettings,
  SidesSettings,
} from './resolve/run-config.js';
export { parseRunConfig, type Presets } from './resolve/parse-run-config.js';
export {
  parseCommandOptions,
  type CommandOptions,
  type CommandValues,
} from './sources/command-options.js';
export { refuseOtherFlags } from './sources/taken-flags.js';
export type { ReadFile } from './sources/config-file.js';
export { debugVariable, type Environment } from './sources/environment.js';
export { flagsDocument } from './documents/flags-document.js';
export {
  carlaOptions,
  caveOptions,
  dancersOptions,
  type CarlaValues,
  type CaveValues,
  type DancersValues,
  synchronoOptions,
  type SynchronoValues,
} from './options/gateway-options.js';
export { observeOptions, type ObserveValues } from './options/observe-options.js';
export { commandHelpEntries, helpEntries } from './documents/help-entries.js';
export { configFileSchema } from './documents/json-schema.js';
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
} from './options/lab-options.js';
export {
  compareOptions,
  type FieldTolerances,
  recordOptions,
  type RecordValues,
  recoverOptions,
  replayOptions,
  type CompareValues,
  type ReplayValues,
  reportOptions,
} from './options/recording-options.js';
export { splitOperands } from './sources/operands.js';
export { markdownTable } from './documents/markdown-table.js';
export { vehicleIdList } from './options/id-types.js';
