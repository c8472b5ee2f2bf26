import type { HlcError } from '../errors/index.js';

/** The callback of a user for errors. */
interface ErrorListener {
  onError?(error: unknown): void;
}

/** Calls `onError`; without it, or when it throws, the error is an uncaught exception. */
export function reportError(listener: ErrorListener, error: unknown): void {
  let unreported = error;
  if (listener.onError !== undefined) {
    try {
      listener.onError(error);
      return;
    } catch (second) {
      unreported = second;
    }
  }
  queueMicrotask(() => {
    throw unreported;
  });
}

/** The same for what others can cause, which must not end this process: it is a warning instead. */
export function reportOrWarn(listener: ErrorListener, error: HlcError): void {
  if (listener.onError === undefined) process.emitWarning(error);
  else reportError(listener, error);
}
