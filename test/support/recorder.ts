import { inspect } from 'node:util';

/** A wait longer than this has failed, ms; far above what a busy machine needs. */
const usualPatienceMs = 15_000;
/** The newest items that a failed wait shows. */
const shownItems = 5;

interface Waiting {
  /** True when it is settled. */
  look(): boolean;
  fail(reason: string): void;
}

/** All events of one kind in the order in which they came, for tests to wait on. */
export class Recorder<T> {
  readonly items: T[] = [];
  readonly #waiting = new Set<Waiting>();
  readonly #listeners: ((item: T) => void)[] = [];
  #ended: string | undefined;

  /**
   * @param what what the events are, for the text of a failed wait
   * @param patienceMs how long a wait takes at most
   */
  constructor(
    private readonly what: string,
    private readonly patienceMs = usualPatienceMs,
  ) {}

  add(item: T): void {
    this.items.push(item);
    for (const listener of this.#listeners) listener(item);
    for (const waiting of this.#waiting) if (waiting.look()) this.#waiting.delete(waiting);
  }

  /** Nothing more will come: waits that are open fail. */
  end(reason: string): void {
    this.#ended = reason;
    for (const waiting of this.#waiting) waiting.fail(reason);
    this.#waiting.clear();
  }

  /** Called for every item from now on. */
  forEach(listener: (item: T) => void): void {
    this.#listeners.push(listener);
  }

  /** The first item of which this is true; one that came before counts, too. */
  until(wanted: (item: T) => boolean): Promise<T> {
    let looked = 0;
    return this.#wait(wanted.toString(), () => {
      for (; looked < this.items.length; looked++) {
        const item = this.items[looked] as T;
        if (wanted(item)) return [item];
      }
      return undefined;
    });
  }

  /** Settles when there are at least so many items; gives the last of these. */
  untilCount(count: number): Promise<T> {
    return this.#wait(`${count} of them`, () =>
      this.items.length >= count ? [this.items[count - 1] as T] : undefined,
    );
  }

  /** @param find the result in a list of its own, or undefined when it is not there yet */
  #wait(wanted: string, find: () => [T] | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return false;
        clearTimeout(timer);
        resolve(found[0]);
        return true;
      };
      const fail = (reason: string) => {
        clearTimeout(timer);
        const newest = inspect(this.items.slice(-shownItems), { depth: 4 });
        reject(
          new Error(
            `${this.what}: waited for ${wanted}, ${reason}; ${this.items.length} came, the newest: ${newest}`,
          ),
        );
      };
      const waiting = { look, fail };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        fail(`but ${this.patienceMs} ms are over`);
      }, this.patienceMs);
      if (look()) return;
      if (this.#ended === undefined) this.#waiting.add(waiting);
      else fail(this.#ended);
    });
  }
}
