/** Told of what a callback threw. */
export type OnFault = (fault: unknown) => void;

/**
 * A callback that can be given to rclnodejs, where a throw would end the process without a word.
 * @param onFault is told instead; what it throws itself is lost.
 */
export function guarded<A extends unknown[]>(
  callback: (...args: A) => void,
  onFault: OnFault,
): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args);
    } catch (fault) {
      tell(fault, onFault);
    }
  };
}

/** The same for a callback that takes its time. */
export function guardedAsync<A extends unknown[]>(
  callback: (...args: A) => Promise<void>,
  onFault: OnFault,
): (...args: A) => void {
  return (...args) => {
    callback(...args).catch((fault: unknown) => tell(fault, onFault));
  };
}

function tell(fault: unknown, onFault: OnFault): void {
  try {
    onFault(fault);
  } catch {
    // There is nobody left to tell.
  }
}
