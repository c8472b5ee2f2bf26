type Close = () => void | Promise<void>;

/** Open resources; closed in the reverse order of their opening. */
export class Closers {
  readonly #closers: Close[] = [];

  push(close: Close): void {
    this.#closers.push(close);
  }

  /**
   * Closes all, also when one fails. A second call closes nothing.
   * @throws what the last failing one threw.
   */
  async close(): Promise<void> {
    const close = this.#closers.pop();
    if (close === undefined) return;
    try {
      await close();
    } finally {
      await this.close();
    }
  }
}
