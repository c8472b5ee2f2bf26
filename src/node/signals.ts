import { setTimeout as wait } from 'node:timers/promises';
import { signalExitCodes, type EndSignal } from '../core/errors/index.js';

/** The signals that end this process in an orderly way. */
export interface EndSignals {
  /** Aborts with the first signal. */
  readonly stopped: AbortSignal;
  /** Settles when a signal has come. */
  readonly received: Promise<void>;
  /** That of the signal, or the other one when none came or an interrupt is no reason of its own. */
  exitCode(otherwise: number): number;
  /** Gives signals their default action again. */
  close(): Promise<void>;
}

/**
 * The first SIGHUP, SIGINT or SIGTERM asks for the end, a second one ends the process. SIGHUP is how
 * the CPM Lab's control centre ends a middleware (`tmux kill-session`).
 * @param interruptExitCode exit code after SIGINT; 0: that of an end without a signal
 */
export function watchSignals(interruptExitCode: 0 | 130): EndSignals {
  const controller = new AbortController();
  let received: EndSignal | undefined;
  const onSignal = (signal: EndSignal) => {
    if (received === undefined) {
      received = signal;
      controller.abort();
      return;
    }
    // The system's own way out: that of Node closes DDS, which may take its time.
    restore();
    process.kill(process.pid, signal);
  };
  const signals = Object.keys(signalExitCodes) as EndSignal[];
  const restore = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    stopped: controller.signal,
    received: new Promise<void>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve());
    }),
    exitCode: (otherwise) => {
      const isReason = received !== 'SIGINT' || interruptExitCode !== 0;
      return received !== undefined && isReason ? signalExitCodes[received] : otherwise;
    },
    async close() {
      // A signal that came during the last steps is still to be noticed.
      await wait(1);
      restore();
    },
  };
}
