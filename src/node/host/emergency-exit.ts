import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { ExitCode, HlcError } from '../../errors/index.js';
import type { EmergencyStop } from '../../dds/index.js';
import { emergencyDurationNs, emergencyRepeatNs } from '../middleware/emergency-samples.js';

const standardError = 2;

export interface EmergencyExitOptions {
  /** Ends the process at once, without anything that JavaScript registered for its end. */
  readonly exit: (exitCode: number) => void;
  /** What the line says; `HLC_FAULT` unless given. */
  readonly errorOf?: (cause: string) => HlcError;
  /** Writes on standard error; what it throws is ignored. */
  readonly writeLine?: (text: string) => void;
}

/**
 * The end of a process with a fault: stops all vehicles and exits. It needs nothing that may have failed: no log,
 * no promise and no session. Where the rules still work, the samples are made anew for now; else those are sent that
 * were prepared beforehand.
 */
export class EmergencyExit {
  readonly #options: EmergencyExitOptions;
  readonly #stops = new Set<EmergencyStop>();
  #begun = false;

  constructor(options: EmergencyExitOptions) {
    this.#options = options;
  }

  /** The vehicles of one middleware; a stop whose pacer is closed does nothing. */
  add(stop: EmergencyStop): void {
    this.#stops.add(stop);
  }

  /** Sends the emergency samples once, for a process that is about to die. It does not throw. */
  sendOnce(): void {
    this.#send(0n, 0n);
  }

  /**
   * Sends the emergency samples for a second. It does not throw. Also for a process that something ends with
   * `process.exit`: where the vehicles stand, or nothing is open any more, it changes nothing.
   */
  sendRepeatedly(): void {
    // Every vehicle at once, before the first one gets its repetitions.
    this.sendOnce();
    this.#send(emergencyRepeatNs, emergencyDurationNs);
  }

  /**
   * Sends the emergency samples for a second, writes one line on standard error, and exits with
   * `ExitCode.fault`. For `uncaughtException`, and for every fault of a session.
   */
  readonly run = (fault: unknown): void => {
    if (this.#begun) return;
    this.#begun = true;
    this.sendRepeatedly();
    try {
      const { writeLine = writeToStandardError, errorOf = faultOf } = this.#options;
      writeLine(describe(fault, errorOf));
    } catch {
      // The exit code says the same.
    }
    this.#options.exit(ExitCode.fault);
  };

  #send(everyNs: bigint, forNs: bigint): void {
    for (const stop of this.#stops) {
      try {
        stop.sendBlocking(everyNs, forNs);
      } catch {
        // The others are still to be sent.
      }
    }
  }
}

const faultOf = (cause: string): HlcError => new HlcError('HLC_FAULT', { cause });

function describe(fault: unknown, errorOf: (cause: string) => HlcError): string {
  const { code, message } = errorOf(fault instanceof Error ? fault.message : String(fault));
  return `hlc-middleware: ${message} [${code}]\n${inspect(fault)}\n`;
}

/** Writes without waiting where the system allows it: a terminal that is held up must not hold the exit. */
function writeToStandardError(text: string): void {
  let own: number | undefined;
  try {
    own = openSync(
      `/proc/self/fd/${standardError}`,
      constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK,
    );
  } catch {
    // A socket cannot be opened once more.
  }
  try {
    writeSync(own ?? standardError, text);
  } finally {
    if (own !== undefined) closeSync(own);
  }
}
