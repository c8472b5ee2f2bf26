/** Which vehicles a controller has commanded in answer to the newest start signal. */
export class Answers {
  #commanded = new Set<number>();
  /** The times of the start signals before the newest one, ns. */
  readonly #olderTimes = new Set<bigint>();
  #newestNs = 0n;
  /** All times from this one on are simulated, ns. */
  #simulatedFromNs: bigint | undefined;

  /** Time of the newest start signal, ns. */
  get newestNs(): bigint {
    return this.#newestNs;
  }

  /** Simulated time begins, at this time, ns. */
  beginSimulatedTime(fromNs: bigint): void {
    this.begin(fromNs);
    this.#simulatedFromNs = fromNs;
  }

  /** A start signal goes out; the answers that come from now on count for it. @param tNowNs its time, ns */
  begin(tNowNs: bigint): void {
    this.#commanded = new Set();
    this.#olderTimes.add(this.#newestNs);
    this.#newestNs = tNowNs;
  }

  /** A command came. @param createNs its create stamp, ns */
  add(vehicleId: number, createNs: bigint): void {
    if (!this.#isOlder(createNs)) this.#commanded.add(vehicleId);
  }

  /** True when each of these vehicles was commanded since the newest start signal. */
  haveAll(vehicleIds: readonly number[]): boolean {
    return vehicleIds.every((id) => this.#commanded.has(id));
  }

  /**
   * True for the create stamp of an answer to an older start signal. Several answers to one start signal
   * may have stamps that differ by some ns. A stamp of the wall clock says nothing in simulated time.
   */
  #isOlder(createNs: bigint): boolean {
    if (this.#olderTimes.has(createNs)) return true;
    const fromNs = this.#simulatedFromNs;
    return fromNs !== undefined && createNs >= fromNs && createNs < this.#newestNs;
  }
}
