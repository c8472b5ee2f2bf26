import type { Log } from '../../messages/index.js';

/** Entries kept; the oldest are forgotten first (CPM Lab, `LogStorage`). */
const mostEntries = 10_000;

/** The log entries of all programs of the lab, in the order of their arrival. */
export class LogBook {
  readonly #entries: Log[] = [];

  add(entry: Log): void {
    this.#entries.push(entry);
    if (this.#entries.length > mostEntries) this.#entries.shift();
  }

  /** @param maxLevel Leaves out entries of a higher `log_level`. */
  entries(maxLevel = Infinity): Log[] {
    return this.#entries.filter((entry) => entry.log_level <= maxLevel);
  }
}
