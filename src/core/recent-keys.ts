/** Distinguishes new keys from those of a moment ago, in bounded memory. */
export class RecentKeys {
  readonly #keys = new Set<string>();

  /** @param capacity keys that are remembered; the oldest are forgotten beyond it */
  constructor(private readonly capacity: number) {}

  /** Remembers a key; true when it was not remembered yet. */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > this.capacity) {
      for (const oldest of this.#keys) {
        this.#keys.delete(oldest);
        break;
      }
    }
    return true;
  }
}
