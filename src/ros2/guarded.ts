/** Receives what a callback threw. */
export type OnFault = (fault: unknown) => void;

/**
 * A callback that can be given to rclnodejs, where a throw would end the process without a word.
 * @param onFault receives what was thrown; what it throws itself is lost.
 */
export function guarded<A extends unknown[]>(
  callback: (...args: A) => void,
  onFault: OnFault,
): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args);
    } catch (fault) {
      report(fault, onFault);
    }
  };
}

/** The same for a callback that takes its time. */
export function guardedAsync<A extends unknown[]>(
  callback: (...args: A) => Promise<void>,
  onFault: OnFault,
): (...args: A) => void {
  return (...args) => {
    callback(...args).catch((fault: unknown) => report(fault, onFault));
  };
}

function report(fault: unknown, onFault: OnFault): void {
  try {
    onFault(fault);
  } catch {
    // No receiver is left.
  }
}
