import { nsPerMs } from '../time.js';

/** Stamps that are older than the newest one count when they have risen for this long, ns. */
const restartNs = 300n * nsPerMs;

/**
 * Which states of one vehicle are new. A bridge between networks, or a writer that serves late readers,
 * may send a state once more: that is no sign of life, and the vehicle is elsewhere by now. The
 * clock of a vehicle may also step back, or begin again: then the older stamps rise.
 */
export class StateOrder {
  #newestNs = 0n;
  /** Older stamps that rise: the first one with its instant of reception, and the last one, ns. */
  #older: { readonly fromNs: bigint; readonly fromAtNs: bigint; lastNs: bigint } | null = null;

  /**
   * A state came.
   * @param createStampNs 0: its sender does not stamp states, and each of them counts as new.
   * @param atNs of its reception, steady, ns.
   */
  isNew(createStampNs: bigint, atNs: bigint): boolean {
    if (createStampNs === 0n) return true;
    if (createStampNs === this.#newestNs) return false;
    if (createStampNs < this.#newestNs && !this.#hasRestarted(createStampNs, atNs)) return false;
    this.#newestNs = createStampNs;
    this.#older = null;
    return true;
  }

  #hasRestarted(stampNs: bigint, atNs: bigint): boolean {
    const older = this.#older;
    if (older === null || stampNs < older.lastNs) {
      this.#older = { fromNs: stampNs, fromAtNs: atNs, lastNs: stampNs };
      return false;
    }
    if (stampNs === older.lastNs) return false;
    older.lastNs = stampNs;
    // Many old states that come at once rise, too.
    return stampNs - older.fromNs >= restartNs && atNs - older.fromAtNs >= restartNs;
  }
}
