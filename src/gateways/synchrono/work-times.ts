import { toMs } from '../../core/index.js';
/** Heartbeats of which the times are kept. */
const kept = 10_000;

/** The work of a node per heartbeat: all that it does from the end of the last one to its own end. */
export class WorkTimes {
  /** Milliseconds; the newest heartbeats. */
  readonly #times = new Float64Array(kept);
  #heartbeats = 0;
  #workNs = 0n;
  #depth = 0;
  #ends = false;

  /** @param nowNs Any monotonic clock, ns. */
  constructor(private readonly nowNs: () => bigint) {}

  /** Adds a piece of work to the heartbeat. A piece within another one is a part of it. */
  measure(work: () => void): void {
    const startNs = this.nowNs();
    this.#depth++;
    try {
      work();
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#add(this.nowNs() - startNs);
    }
  }

  /** The heartbeat ends with the piece of work within which this is called. */
  endHeartbeat(): void {
    this.#ends = true;
  }

  /** A sentence for the user; undefined before the end of the first heartbeat. */
  get text(): string | undefined {
    const count = Math.min(this.#heartbeats, kept);
    if (count === 0) return undefined;
    const sorted = this.#times.slice(0, count).sort();
    const at = (share: number) => (sorted[Math.floor(share * (count - 1))] ?? NaN).toFixed(3);
    return `heartbeats: ${this.#heartbeats}; work per heartbeat: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  }

  #add(workNs: bigint): void {
    this.#workNs += workNs;
    if (!this.#ends) return;
    this.#times[this.#heartbeats % kept] = toMs(this.#workNs);
    this.#heartbeats++;
    this.#workNs = 0n;
    this.#ends = false;
  }
}
