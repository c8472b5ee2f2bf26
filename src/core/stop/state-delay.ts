import { earlier, nsPerMs } from '../time.js';

/** A state that comes later than others did by more than this says where the vehicle was, ns. */
const lateNs = 100n * nsPerMs;

/** The least delay rises by this part of the time: clocks drift, and routes change. */
const leak = 100n;

/**
 * Of which instant a state is. States that waited in a network, or in the sockets of a process that was
 * suspended, come all at once, and the vehicle is elsewhere by then. The clocks of vehicle and middleware need
 * not agree: the delay of a state is compared with the least one so far.
 */
export class StateDelay {
  #leastNs: bigint | null = null;
  #stampNs = 0n;
  #atNs = 0n;

  /**
   * @param createStampNs 0: its sender does not stamp states, and each of them is of its reception.
   * @param atNs of its reception, steady, ns.
   * @returns steady, ns.
   */
  instantOf(createStampNs: bigint, atNs: bigint): bigint {
    if (createStampNs === 0n) return atNs;
    const delayNs = atNs - createStampNs;
    // The clock of the vehicle was set back.
    const isReset = createStampNs < this.#stampNs;
    const knownNs = this.#leastNs === null || isReset ? delayNs : this.#leastNs;
    const leastNs = earlier(delayNs, knownNs + (atNs - this.#atNs) / leak);
    this.#leastNs = leastNs;
    this.#stampNs = createStampNs;
    this.#atNs = atNs;
    const beyondNs = delayNs - leastNs;
    return beyondNs > lateNs ? atNs - beyondNs : atNs;
  }
}
