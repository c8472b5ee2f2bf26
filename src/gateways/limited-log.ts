import { HlcError } from '../errors/index.js';

/** Shortest time between two lines, ms. */
const intervalMs = 1000;

/**
 * Reports refusals at most once a second, with the number of those that were left out. Bad input
 * can come at any rate.
 */
export class LimitedLog {
  #refused = 0;
  #untold = 0;
  #toldAtMs = -Infinity;

  /** @param nowMs Any monotonic clock, ms. */
  constructor(
    private readonly log: (text: string) => void,
    private readonly nowMs: () => number,
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
    const nowMs = this.nowMs();
    if (nowMs - this.#toldAtMs < intervalMs) {
      this.#untold++;
      return;
    }
    const more =
      this.#untold === 0 ? '' : ` (and ${this.#untold} more refusals since the last one)`;
    this.#untold = 0;
    this.#toldAtMs = nowMs;
    this.log(`${text}${more}`);
  }
}
