import { signalExitCodes, type EndSignal } from '../errors/index.js';

/**
 * The same signal within this time is the same wish, ms: npm, npx and "ros2 launch" pass a Ctrl+C on to
 * a process that has it from the terminal already, and a terminal that closes sends SIGHUP twice.
 */
export const sameWishMs = 1000;

/** {@link sameWishMs} passes in so many steps. */
const sameWishSteps = 10;

/**
 * Begins the time of {@link sameWishMs}; the function that it gives says whether that time still lasts.
 * Time in which the event loop stood still counts as one step at most: a signal that came meanwhile is
 * handled only after it.
 */
export function beginSameWish(): () => boolean {
  let left = sameWishSteps;
  const step = () => {
    if (--left === 0) clearInterval(timer);
  };
  const timer = setInterval(step, sameWishMs / sameWishSteps).unref();
  return () => left > 0;
}

const endSignals = Object.keys(signalExitCodes) as EndSignal[];

/** The process, as far as signals go. */
export type SignalSource = Pick<NodeJS.Process, 'pid' | 'kill'> & {
  on(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
  off(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
};

/**
 * Calls back with the first SIGHUP, SIGINT or SIGTERM. Another one, or the same one more than
 * {@link sameWishMs} later, has its default action: it ends the process at once.
 */
export function onEndSignal(
  listener: (signal: EndSignal) => void,
  source: SignalSource = process,
): void {
  let first: { readonly signal: EndSignal; readonly isSameWish: () => boolean } | undefined;
  const onSignal = (signal: EndSignal) => {
    if (first === undefined) {
      first = { signal, isSameWish: beginSameWish() };
      listener(signal);
      return;
    }
    if (signal === first.signal && first.isSameWish()) return;
    for (const each of endSignals) source.off(each, onSignal);
    source.kill(source.pid, signal);
  };
  for (const each of endSignals) source.on(each, onSignal);
}
