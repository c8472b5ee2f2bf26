import { signalExitCodes, type EndSignal } from '../errors/index.js';

/**
 * The same signal within this time is the same wish, ms: npm, npx and "ros2 launch" pass a Ctrl+C on to
 * a process that has it from the terminal already, and a terminal that closes sends SIGHUP twice.
 */
const sameWishMs = 1000;

/** {@link sameWishMs} passes in this many steps. */
const sameWishSteps = 10;

/**
 * Begins the time of {@link sameWishMs}; the function that it gives says whether that time still lasts.
 * Time in which the event loop stood still counts as one step at most: a signal that came meanwhile is
 * handled only after it.
 */
function beginSameWish(): () => boolean {
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

/** What {@link onEndSignal} does beside its call. */
export interface EndSignalOptions {
  /** Called before the process dies by a second signal. */
  readonly onSecond?: () => void;
  readonly source?: SignalSource;
}

/**
 * Calls back with the first SIGHUP, SIGINT or SIGTERM. Another one, or the same one more than
 * {@link sameWishMs} later, has its default action: it ends the process at once.
 * @returns a function that gives signals their default action again; the first signal once more
 *   stays the same wish.
 */
export function onEndSignal(
  listener: (signal: EndSignal) => void,
  { onSecond, source = process }: EndSignalOptions = {},
): () => void {
  let first: { readonly signal: EndSignal; readonly isSameWish: () => boolean } | undefined;
  const isSameWish = (signal: EndSignal) => signal === first?.signal && first.isSameWish();
  const onSignal = (signal: EndSignal) => {
    if (first === undefined) {
      first = { signal, isSameWish: beginSameWish() };
      listener(signal);
    } else if (!isSameWish(signal)) {
      onSecond?.();
      // The system's own way out: that of Node closes DDS, which may take a second.
      for (const each of endSignals) source.off(each, onSignal);
      source.kill(source.pid, signal);
    }
  };
  for (const each of endSignals) source.on(each, onSignal);
  return () => {
    for (const each of endSignals) {
      if (!isSameWish(each)) source.off(each, onSignal);
      else setTimeout(() => source.off(each, onSignal), sameWishMs).unref();
    }
  };
}
