import { setTimeout as wait } from 'node:timers/promises';
import { signalExitCodes, type EndSignal } from '../../errors/index.js';
import { onEndSignal, type SignalSource } from '../../sides/index.js';

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
 * The first SIGHUP, SIGINT or SIGTERM asks for the end; another one, or the same one later, ends the
 * process at once. SIGHUP is how the CPM Lab's control centre ends a middleware
 * (`tmux kill-session`).
 * @param interruptExitCode exit code after SIGINT; 0: that of an end without a signal
 * @param onSecond called before the process dies by the second signal.
 */
export function watchSignals(
  interruptExitCode: 0 | 130,
  onSecond: () => void,
  source: SignalSource = process,
): EndSignals {
  const controller = new AbortController();
  let first: EndSignal | undefined;
  const onFirst = (signal: EndSignal) => {
    first = signal;
    controller.abort();
  };
  const release = onEndSignal(onFirst, { onSecond, source });
  return {
    stopped: controller.signal,
    received: new Promise<void>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve());
    }),
    exitCode: (otherwise) => {
      const isReason = first !== 'SIGINT' || interruptExitCode !== 0;
      return first !== undefined && isReason ? signalExitCodes[first] : otherwise;
    },
    async close() {
      // A signal that came during the last steps still counts.
      await wait(1);
      release();
    },
  };
}
