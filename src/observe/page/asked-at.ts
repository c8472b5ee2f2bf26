/** When an update was made and came: monotonic time of the observer's machine, and ms of this page. */
export interface UpdateTimes {
  readonly sentAtMs: number;
  readonly receivedAt: number;
}

/**
 * Now by the monotonic clock of the observer's machine, as decimal text, ns. It is never later than that: the update
 * took some time to come.
 * @param pageMs ms of this page.
 */
export function askedAtNs({ sentAtMs, receivedAt }: UpdateTimes, pageMs: number): string {
  const us = Math.max(0, Math.floor((sentAtMs + pageMs - receivedAt) * 1000));
  return `${us}000`;
}
