import { ExitCode } from '../core/errors/index.js';

const meanings: Readonly<Record<keyof typeof ExitCode, string>> = {
  ok: 'done',
  failure: 'run-time failure',
  usage: 'wrong usage or configuration, or "doctor" found a problem',
  readinessTimeout: 'controllers not ready, or lab without answer or start, in time',
  lockStepHalt: 'lock-step ended by a time-out or by the halt policy',
  safetyStop: 'a safety stop is latched',
  fault: 'a fault inside this program; an emergency stop was sent',
  stillMoving: 'the run ended before the vehicles were known to stand',
  sighup: 'clean end after SIGHUP',
  sigint: 'clean end after SIGINT (Ctrl-C)',
  sigterm: 'clean end after SIGTERM',
};

const lines = Object.entries(meanings).map(
  ([name, meaning]) =>
    `  ${String(ExitCode[name as keyof typeof ExitCode]).padStart(3)}  ${meaning}\n`,
);

/** The exit codes, as the last part of every help. */
export const exitCodeHelp = `\nExit codes:\n${lines.join('')}`;
