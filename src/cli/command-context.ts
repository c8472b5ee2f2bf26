import type { CertificationResult } from '../certify/examination/index.js';
import type {
  CertifyValues,
  Environment,
  GuardValues,
  ObserveValues,
  PlayValues,
  ReadFile,
  RunConfig,
} from '../config/index.js';
import type * as recordings from './recordings.js';
import type * as gateways from './run-gateways.js';
import type * as lab from './run-lab.js';

/** The programs of a lab. */
export type LabPrograms = typeof lab;
/** The gateways. */
export type Gateways = typeof gateways;
/** The commands about recordings. */
export type Recordings = typeof recordings;

/** What the flags of `doctor` say beside those of `run`. */
export interface DoctorOptions {
  /** How long to listen, ms. */
  readonly listenMs: number;
  readonly json: boolean;
  /** Mark the words of the text with colours. */
  readonly colour: boolean;
}

/** What a command gets from the process around it. */
export interface CommandContext {
  readonly environment: Environment;
  readonly readFile: ReadFile;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly writeError: (text: string) => void;
  /** Runs one middleware to its end and gives the exit code. */
  readonly runMiddleware: (config: RunConfig) => Promise<number>;
  /** Runs one middleware with a simulated lab to its end and gives the exit code. */
  readonly play: (config: RunConfig, lab: PlayValues) => Promise<number>;
  /** Runs a guard until a signal ends the process, and returns the exit code. */
  readonly runGuard: (config: RunConfig, guard: GuardValues) => Promise<number>;
  /** The programs of a lab; loaded when one of them is to run. */
  readonly lab: () => Promise<LabPrograms>;
  /** The gateways; loaded when one of them is to run. */
  readonly gateways: () => Promise<Gateways>;
  /** Serves the page of a middleware until a signal ends the process, and returns the exit code. */
  readonly observe: (
    config: RunConfig,
    controlSocket: string,
    values: ObserveValues,
  ) => Promise<number>;
  /** Looks at the machine and at both domains, and gives what it prints and the exit code. */
  readonly runDoctor: (
    config: RunConfig,
    options: DoctorOptions,
  ) => Promise<{ readonly text: string; readonly exitCode: number }>;
  /**
   * Certifies a controller, and starts it by this command unless that is empty.
   * @throws HlcError `HLC_CONTROLLER_START`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
   */
  readonly certify: (
    config: RunConfig,
    values: CertifyValues,
    command: readonly string[],
  ) => Promise<CertificationResult>;
  /** What the commands about recordings do; loaded when one of them needs it. */
  readonly recordings: () => Promise<Recordings>;
  /** What stands after `--` on the command line of `certify`. */
  readonly childCommand: readonly string[];
  /** The exit code of the process, 0 unless a command sets it. */
  readonly setExitCode: (exitCode: number) => void;
  /** From now on, show errors with their stack. */
  readonly showStacks: () => void;
}
