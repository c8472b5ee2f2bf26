import { HlcError } from '../errors/index.js';

/** Shortest time between two lines of one kind, ms. */
const intervalMs = 1000;
/** The kind of lines about refusals. */
const refusals = 'refusals';

/**
 * Prints lines of one kind at most once a second, with the number of those that were left out. Clients
 * can cause them at any rate.
 */
export class LimitedLog {
  #refused = 0;
  readonly #kinds = new Map<string, { suppressed: number; readonly usedUpToMs: number }>();

  /**
   * @param nowMs Any monotonic clock, ms.
   * @param mostAtOnce Lines of a kind that may come at once. Each of them uses up a second: over a longer
   *   time it is still one a second.
   */
  constructor(
    private readonly log: (text: string) => void,
    private readonly nowMs: () => number,
    private readonly mostAtOnce = 1,
  ) {}

  /** Number of all refusals, with and without a line. */
  get refused(): number {
    return this.#refused;
  }

  /** `HLC_GATEWAY_REFUSED`: a connection or an input of the client at this address. */
  refuseClient(address: string, cause: string): void {
    const { message } = new HlcError('HLC_GATEWAY_REFUSED', { address, cause });
    this.refuse(`${message} (HLC_GATEWAY_REFUSED)`);
  }

  refuse(text: string): void {
    this.#refused++;
    this.inform(refusals, text);
  }

  /** Something went wrong in the gateway itself, or on a topic. */
  fault(error: unknown): void {
    this.inform('faults', `fault: ${error instanceof Error ? error.message : String(error)}`);
  }

  /**
   * Prints a line that is no refusal.
   * @param kind In the plural, as in "3 more connections". A kind does not delay the lines of another one.
   */
  inform(kind: string, text: string): void {
    const nowMs = this.nowMs();
    const last = this.#kinds.get(kind);
    const usedUpToMs = Math.max(nowMs, last?.usedUpToMs ?? nowMs);
    if (last !== undefined && usedUpToMs - nowMs > (this.mostAtOnce - 1) * intervalMs) {
      last.suppressed++;
      return;
    }
    const suppressed = last?.suppressed ?? 0;
    this.#kinds.set(kind, { suppressed: 0, usedUpToMs: usedUpToMs + intervalMs });
    this.log(
      suppressed === 0 ? text : `${text} (and ${suppressed} more ${kind} since the last one)`,
    );
  }
}
