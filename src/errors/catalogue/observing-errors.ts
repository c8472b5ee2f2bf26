import { ExitCode } from '../exit-codes.js';
import { namedIds } from '../in-words.js';
import { entry } from './entry.js';

/** Errors of observers, recordings and replay. */
export const observingErrors = {
  HLC_TAP_SOCKET: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap cannot be opened, so no observer or recorder can read this run (${d.cause}); give this middleware a --node-id or a --control-socket of its own.`,
  ),
  HLC_TAP_NOBODY: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `No middleware has a tap at ${d.path}; start one, or name the right one with --node-id or --control-socket.`,
  ),
  HLC_TAP_CONNECT: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} cannot be read (${d.cause}); run this program as the user of the middleware.`,
  ),
  HLC_TAP_FULL: entry<{ path: string }>(
    ExitCode.failure,
    (d) => `The tap ${d.path} has as many readers as it takes; end one of them and start again.`,
  ),
  HLC_TAP_VERSION: entry<{ path: string; version: string; wanted: number }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} has format ${d.version}, and this program reads format ${d.wanted}; use the same version of the program for both.`,
  ),
  HLC_TAP_FORMAT: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} sent bytes that are no records (${d.cause}); use the same version of the program for both.`,
  ),
  HLC_TAP_LOST: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} ended unexpectedly: the middleware crashed, was killed, or has switched off its tap; look at its log.`,
  ),
  HLC_OBSERVE_LISTEN: entry<{ port: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The page cannot be served on port ${d.port} of 127.0.0.1 (${d.cause}); choose another port with --port.`,
  ),
  HLC_OBSERVE_BUSY: entry<{ what: string; most: number }>(
    ExitCode.failure,
    (d) =>
      `The observer serves ${d.most} ${d.what} at the same time and no more; close one of them, and try again.`,
  ),
  HLC_OBSERVE_PAGE: entry<{ folder: string; cause: string }>(
    ExitCode.failure,
    (d) => `The page in ${d.folder} cannot be read (${d.cause}); run "npm run setup" to build it.`,
  ),
  HLC_RECORDING_READ: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recording ${d.file} cannot be read (${d.cause}); name a file that "hlc-middleware record" or "run --record" wrote.`,
  ),
  HLC_RECORDING_WRITE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recording ${d.file} cannot be written (${d.cause}); what is in it so far is readable. Make room, check the rights of the folder, or choose a new file.`,
  ),
  HLC_RESULT_WRITE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The result cannot be written to ${d.file} (${d.cause}); name a file in a folder that you may write to.`,
  ),
  HLC_RECORDER: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recorder cannot be started (${d.cause}); its own message says why. Correct that, or leave out --record.`,
  ),
  HLC_REPLAY_CONTROLLER: entry<{ ids: readonly number[]; how: string }>(
    ExitCode.failure,
    (d) =>
      `The command of --controller ended (${d.how}) before ${namedIds('controller', d.ids)} sent a ready signal; its own messages say why. Start it by hand with the same --domain-number to see more.`,
  ),
} as const;
