import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of the SDKs for controllers and vehicles. */
export const sdkErrors = {
  HLC_CONTROLLER_VEHICLE_IDS: entry<{ ids: string }>(
    ExitCode.usage,
    (d) =>
      `A controller cannot drive the vehicles [${d.ids}]; give at least one id, each once, from 0 to 255.`,
  ),
  HLC_CONTROLLER_COMMAND: entry<{ vehicleId: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The command for vehicle ${d.vehicleId} was not sent (${d.cause}); correct what onStep returns.`,
  ),
  HLC_VEHICLES_IDS: entry<{ ids: string }>(
    ExitCode.usage,
    (d) =>
      `The vehicle ids [${d.ids}] cannot be used; give at least one id, each once, from 0 to 255.`,
  ),
  HLC_VEHICLES_PROFILE: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The vehicle profile cannot be used (${d.cause}); give each kind of command at most once, and a time-out of 0 (none) or more milliseconds.`,
  ),
  HLC_VEHICLES_STATE: entry<{ vehicleId: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The state of vehicle ${d.vehicleId} was not sent (${d.cause}); correct what publish is given.`,
  ),
  HLC_VEHICLES_COMMAND: entry<{ vehicleId: number; field: string }>(
    ExitCode.failure,
    (d) =>
      `Vehicle ${d.vehicleId} refused a command, since ${d.field} is not finite; correct the controller that sent it.`,
  ),
  HLC_VEHICLES_TWICE: entry<{ vehicleId: number; writerGuid: string }>(
    ExitCode.failure,
    (d) =>
      `Another program publishes states of vehicle ${d.vehicleId}, too (writer ${d.writerGuid}); end one of them, or give them different vehicle ids or domains.`,
  ),
} as const;
