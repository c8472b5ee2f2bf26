import { ExitCode } from '../../errors/index.js';
import type { Ended, EndReason } from '../../core/index.js';

const exitCodes: Record<EndReason, ExitCode> = {
  stopTrigger: ExitCode.ok,
  stopped: ExitCode.ok,
  periodsDone: ExitCode.ok,
  untilReached: ExitCode.ok,
  readyTimeout: ExitCode.readinessTimeout,
  startTimeout: ExitCode.readinessTimeout,
  replyTimeout: ExitCode.lockStepHalt,
  overrun: ExitCode.lockStepHalt,
};

/**
 * The exit code for the end of a middleware that no signal ended. A middleware that others activate
 * and deactivate is done whenever it ends; a latched safety stop and vehicles that were not known to
 * stand count for both.
 * @param end of the last session; undefined when there was none.
 */
export function endCode(end: Ended | undefined, autostart: boolean): ExitCode {
  if (end === undefined) return ExitCode.ok;
  if (end.moving.length > 0) return ExitCode.stillMoving;
  const exitCode = autostart ? exitCodes[end.reason] : ExitCode.ok;
  return exitCode === ExitCode.ok && end.latched.length > 0 ? ExitCode.safetyStop : exitCode;
}
