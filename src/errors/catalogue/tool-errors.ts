import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of certification and of the installation. */
export const toolErrors = {
  HLC_INSTALL_FOLDER: entry<{ folder: string; file: string }>(
    ExitCode.usage,
    (d) =>
      `${d.folder} is not the software of a CPM Lab (there is no ${d.file}); name the folder that contains "middleware" and "lab_control_center".`,
  ),
  HLC_INSTALL_CHANGE: entry<{ change: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The installation ended at this step: ${d.change} (${d.cause}); correct the cause and start the command again, it continues from there.`,
  ),
  HLC_CONTROLLER_START: entry<{ command: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The controller "${d.command}" cannot be started (${d.cause}); check the command after --.`,
  ),
  HLC_OTHER_MIDDLEWARE: entry<{ domainId: number; program: string; player: string }>(
    ExitCode.failure,
    (d) =>
      `Another middleware (${d.program}) runs on DDS domain ${d.domainId}, and ${d.player} beside it would stop its vehicles; end that middleware, or choose another domain with --domain-number, for the controller, too.`,
  ),
  HLC_FINDING_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The finding of a certification in ${d.file} cannot be used (${d.cause}); check the file and its folder, then run "hlc-middleware certify" again.`,
  ),
} as const;
