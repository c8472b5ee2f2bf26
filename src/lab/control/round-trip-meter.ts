/** The times until answers to one question came. */
export interface RoundTrip {
  /** Who answered; several programs can share a name, in the lab all vehicles do. */
  readonly sourceId: string;
  /** Until the first answer under that name, ns. */
  readonly bestNs: bigint;
  /** Until the last answer under that name, ns. */
  readonly worstNs: bigint;
  readonly answers: number;
}

/** Times the answers to one question after the other. Times are monotonic, ns. */
export class RoundTripMeter {
  #count = 0;
  /** undefined while no question is open. */
  #askedAtNs: bigint | undefined;
  readonly #roundTrips = new Map<string, RoundTrip>();

  /** @returns The number of the question: 1, 2, ... 255, 0, 1, ... */
  begin(askedAtNs: bigint): number {
    this.#count = (this.#count + 1) % 256;
    this.#askedAtNs = askedAtNs;
    this.#roundTrips.clear();
    return this.#count;
  }

  /** @returns Whether it answers the open question. */
  answer(sourceId: string, count: number, receivedAtNs: bigint): boolean {
    if (this.#askedAtNs === undefined || count !== this.#count) return false;
    const roundTripNs = receivedAtNs - this.#askedAtNs;
    const before = this.#roundTrips.get(sourceId);
    this.#roundTrips.set(sourceId, {
      sourceId,
      bestNs: before?.bestNs ?? roundTripNs,
      worstNs: roundTripNs,
      answers: (before?.answers ?? 0) + 1,
    });
    return true;
  }

  /** Closes the question. */
  end(): RoundTrip[] {
    this.#askedAtNs = undefined;
    return Array.from(this.#roundTrips.values());
  }
}
