import { earlier, nsPerMs, nsPerS } from './time.js';

/** When a start signal is to be written. */
export interface StartSlot {
  /** Number of the start signal in the run; rises from slot to slot and over all plans. */
  readonly index: number;
  /** The grid time that it names, ns. */
  readonly tNowNs: bigint;
  /** Not before this monotonic instant, ns. */
  readonly notBeforeNs: bigint;
  /** Not after this one, ns. */
  readonly notAfterNs: bigint;
}

/** The slots of one prepared start signal: its own, and those of the periods after it. */
export interface StartSlots {
  readonly first: StartSlot;
  /**
   * Number of slots after the first, each one period after the one before. In them the start signal
   * stands in for fresh ones that do not come.
   */
  readonly standIns: number;
  readonly periodNs: bigint;
  /** The start of each of these slots is later by this, ns; its end is not. */
  readonly graceNs: bigint;
}

/** A start signal is prepared this long before it is due, ns, and at most this part of a period before. */
const leadNs = 2n * nsPerMs;
const leadPart = 4n;

/**
 * A start signal with the states of an earlier period goes out when a fresh one is late by this, ns,
 * and by this part of a period: fresh and a little late is better than stale and on time.
 */
const maxGraceNs = 5n * nsPerMs;
const gracePart = 10n;

/** The longest time for which start signals without fresh states go out, ns: older states are stale. */
const longestNs = nsPerS;

/** By default a start signal that is late by more than this part of a period does not go out. */
const latestPart = 2n;

/** How long before it is due a start signal is to be prepared, ns. */
export function startLead(periodNs: bigint): bigint {
  return earlier(leadNs, periodNs / leadPart);
}

/** A fresh start signal that is late by more than this may be replaced by one with older states, ns. */
export function startGrace(periodNs: bigint): bigint {
  return earlier(maxGraceNs, periodNs / gracePart);
}

/** By default a start signal that is later than half a period does not go out, ns. */
export function defaultLatestStart(periodNs: bigint): bigint {
  return periodNs / latestPart;
}

/** In the CPM Lab middleware only one that is late by a whole period does not go out, ns. */
export function cpmLabLatestStart(periodNs: bigint): bigint {
  return periodNs - 1n;
}

/**
 * The slots of a start signal.
 * @param start `index`: its number in the run; `dueAtNs`: monotonic, ns.
 * @param limits `latestNs`: how late a start signal may be, ns; `left`: start signals that may still
 *   go out in this run, 1 or more, may be infinite.
 */
export function startSlots(
  {
    index,
    tNowNs,
    dueAtNs,
  }: { readonly index: number; readonly tNowNs: bigint; readonly dueAtNs: bigint },
  periodNs: bigint,
  nowNs: bigint,
  { latestNs, left }: { readonly latestNs: bigint; readonly left: number },
): StartSlots {
  const graceNs = startGrace(periodNs);
  if (nowNs > dueAtNs + latestNs) {
    // It is made up for, so it is late already and stands in for nothing.
    const first = { index, tNowNs, notBeforeNs: nowNs, notAfterNs: nowNs + latestNs };
    return { first, standIns: 0, periodNs, graceNs };
  }
  const first = { index, tNowNs, notBeforeNs: dueAtNs, notAfterNs: dueAtNs + latestNs };
  const count = Math.min(left, Math.max(1, Number(longestNs / periodNs)));
  return { first, standIns: count - 1, periodNs, graceNs };
}
