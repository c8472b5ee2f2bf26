import { ExitCode } from '../exit-codes.js';
import { namedIds } from '../in-words.js';
import { entry } from './entry.js';

/** Errors of a run. */
export const runErrors = {
  HLC_REALTIME_PRIORITY: entry<{ priority: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The system does not allow real-time priority ${d.priority} with locked memory (${d.cause}); allow it for this shell with "sudo prlimit --pid $$ --rtprio=99 --memlock=unlimited" (in a container with the capabilities SYS_NICE and IPC_LOCK) and start again, or leave out --realtime-priority.`,
  ),
  HLC_UNEXPECTED: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `Unexpected error (${d.cause}); set HLC_MIDDLEWARE_DEBUG=1 to see the stack, and report it.`,
  ),
  HLC_FAULT: entry<{ cause: string }>(
    ExitCode.fault,
    (d) =>
      `A fault inside this program ended the run (${d.cause}); an emergency stop was sent to the vehicles. Make sure that all of them stand, then report the fault with the lines that follow.`,
  ),
  HLC_READY_TIMEOUT: entry<{
    ids: readonly number[];
    waitedMs: number;
    domainId: number;
    diagnosis: string;
  }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The ready ${d.ids.length === 1 ? 'signal' : 'signals'} of ${namedIds('controller', d.ids)} did not come within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}.`,
  ),
  HLC_START_TIMEOUT: entry<{ waitedMs: number; domainId: number; diagnosis: string }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The system trigger of the lab control did not come within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}. Without a lab control give --wait-for-start=false, in simulated time --time-source=self.`,
  ),
  HLC_PARAMETER_TIMEOUT: entry<{
    parameter: string;
    waitedMs: number;
    domainId: number;
    diagnosis: string;
  }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The parameter server of the lab did not answer for ${d.parameter} within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}. Without a parameter server give --period-ms.`,
  ),
  HLC_SUMMARY_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The summary could not be written to "${d.file}" (${d.cause}); name a file in a folder that exists and may be written to.`,
  ),
  HLC_GUARD: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The guard cannot be started (${d.cause}); its own message says why. Correct that, or leave out --guard.`,
  ),
  HLC_GUARD_FAULT: entry<{ cause: string }>(
    ExitCode.fault,
    (d) =>
      `A fault inside the guard ended it (${d.cause}); the vehicles that it was stopping were commanded to stand still. Make sure that they do, start the guard again at once, and report the fault with the lines that follow.`,
  ),
  HLC_LATCH_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The latch file ${d.file} cannot be used (${d.cause}); check the file and its folder: a latched stop may not survive a restart.`,
  ),
  HLC_LATCH_UNLISTED: entry<{ ids: readonly number[]; file: string }>(ExitCode.failure, (d) => {
    const them = d.ids.length === 1 ? 'it' : 'them';
    return `An earlier run latched the stop of ${namedIds('vehicle', d.ids)} in ${d.file}, and --vehicle-ids does not list ${them}. To drive ${them} again, start a run that lists ${them}, then resume ${them} there.`;
  }),
} as const;
