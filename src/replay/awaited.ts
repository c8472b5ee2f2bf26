/** Waits for conditions that events of the network make true. */
export class Awaited {
  #check: (() => void) | undefined;

  /** To be called after every event. */
  changed(): void {
    this.#check?.();
  }

  /** Settles with true as soon as the condition holds, with false after this time, ms. */
  async until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    if (isTrue()) return true;
    return new Promise((resolve) => {
      const settle = (value: boolean) => {
        clearTimeout(timer);
        this.#check = undefined;
        resolve(value);
      };
      const timer = setTimeout(() => settle(false), withinMs);
      this.#check = () => {
        if (isTrue()) settle(true);
      };
    });
  }
}
