import { commandsErrors } from './commands-errors.js';
import { configurationErrors } from './configuration-errors.js';
import { controlErrors } from './control-errors.js';
import { gatewayErrors } from './gateway-errors.js';
import { networkErrors } from './network-errors.js';
import { observingErrors } from './observing-errors.js';
import { qosErrors } from './qos-errors.js';
import { ros2Errors } from './ros2-errors.js';
import { runErrors } from './run-errors.js';
import { sdkErrors } from './sdk-errors.js';
import { toolErrors } from './tool-errors.js';

/** The areas of the catalogue, in the order of the page of errors. */
export const errorAreas = {
  configuration: configurationErrors,
  qos: qosErrors,
  network: networkErrors,
  ros2: ros2Errors,
  sdk: sdkErrors,
  commands: commandsErrors,
  run: runErrors,
  control: controlErrors,
  observing: observingErrors,
  gateway: gatewayErrors,
  tool: toolErrors,
} as const;

/** Every error that a user can meet: its code, its exit code and its sentence. */
export const catalogue = {
  ...configurationErrors,
  ...qosErrors,
  ...networkErrors,
  ...ros2Errors,
  ...sdkErrors,
  ...commandsErrors,
  ...runErrors,
  ...controlErrors,
  ...observingErrors,
  ...gatewayErrors,
  ...toolErrors,
} as const;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** The details that the sentence of code `C` needs. */
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['sentence']>[0];
