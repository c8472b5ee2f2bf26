/** Microseconds of simulated time. */
export type LabTime = number;

/** A datagram that waits for its step. */
interface HeldDatagram {
  readonly time: LabTime;
  readonly bytes: Uint8Array;
  /** Messages between vehicles in a packet; each goes to all other clients. */
  readonly relayed: number;
}

/** The datagrams of one client that wait for their step, in the order in which they came. */
export class HeldDatagrams {
  #waiting: HeldDatagram[] = [];
  #count = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Number of datagrams, and of messages between vehicles in packets. */
  get count(): number {
    return this.#count;
  }

  /** Length of all datagrams, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(datagram: HeldDatagram): void {
    this.#waiting.push(datagram);
    this.#count += 1 + datagram.relayed;
    this.#bytes += datagram.bytes.length;
  }

  /** Removes the first ones that are due. @returns their bytes. */
  take(isDue: (time: LabTime) => boolean): Uint8Array[] {
    const later = this.#waiting.findIndex(({ time }) => !isDue(time));
    const due = this.#waiting.splice(0, later < 0 ? this.#waiting.length : later);
    for (const { bytes, relayed } of due) {
      this.#count -= 1 + relayed;
      this.#bytes -= bytes.length;
    }
    return due.map(({ bytes }) => bytes);
  }
}
