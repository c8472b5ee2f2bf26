/** Process exit codes of `hlc-middleware`. */
export const ExitCode = {
  /** The job was done. */
  ok: 0,
  /** Run-time failure: a network, a file or a program did not do its part. */
  failure: 1,
  /** Usage or configuration: the command line or a file says something that cannot be done. */
  usage: 2,
  /** Not every controller became ready in time, or the lab did not answer or start in time. */
  readinessTimeout: 3,
  /** Lock-step ended by a time-out or by the halt policy. */
  lockStepHalt: 4,
  /** A safety stop is latched. */
  safetyStop: 5,
  /** A fault inside this program: an emergency stop was sent. */
  fault: 6,
  /** The run ended before the vehicles were known to stand. */
  stillMoving: 7,
  /** Clean end after SIGHUP. */
  sighup: 129,
  /** Clean end after SIGINT. */
  sigint: 130,
  /** Clean end after SIGTERM. */
  sigterm: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The signals that end a program in an orderly way, with the exit code of that end. */
export const signalExitCodes = {
  SIGHUP: ExitCode.sighup,
  SIGINT: ExitCode.sigint,
  SIGTERM: ExitCode.sigterm,
} as const;

export type EndSignal = keyof typeof signalExitCodes;
