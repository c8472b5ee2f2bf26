import { forgetOldest } from './forget-oldest.js';

/** Distinguishes new keys from those of a moment ago, in bounded memory. */
export class RecentKeys {
  readonly #keys = new Set<string>();

  /** @param capacity keys that are remembered; the oldest are forgotten beyond it */
  constructor(private readonly capacity: number) {}

  /** Remembers a key; true when it was not remembered yet. */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    forgetOldest(this.#keys, this.capacity);
    return true;
  }
}
