import { ExitCode } from '../errors/index.js';

/** Name of an exit code. */
export type ExitCodeName = keyof typeof ExitCode;

/** Each exit code in a few words, for the help. */
const summaries: Readonly<Record<ExitCodeName, string>> = {
  ok: 'done',
  failure: 'run-time failure',
  usage: 'wrong usage or configuration, or "doctor" found a problem',
  readinessTimeout: 'time-out before the first period: controllers, lab parameters or lab start',
  lockStepHalt: 'run ended by the policy "halt"',
  safetyStop: 'done without a signal, and a stopped controller was not resumed',
  fault: 'a fault inside this program; an emergency stop was sent',
  stillMoving: 'run ended before the vehicles were known to stand',
  sighup: 'clean end after SIGHUP',
  sigint: 'clean end after SIGINT (Ctrl-C)',
  sigterm: 'clean end after SIGTERM',
};

const lines = Object.entries(summaries).map(
  ([name, summary]) => `  ${String(ExitCode[name as ExitCodeName]).padStart(3)}  ${summary}\n`,
);

/** The exit codes, for the end of the help of the program, of `run` and of `guard`. */
export const exitCodeHelp = `\nExit codes:\n${lines.join('')}`;
