import { Refusal } from '../../refusal.js';
import { Rates } from './rates.js';

/** A client that has a UDP end point. */
export interface Connection {
  readonly number: number;
  /** Address and port. */
  readonly endpoint: string;
  /** When its last datagram came, ms. */
  seenAtMs: number;
  /** Codes of elements that CAVE does not have itself, and that this client has sent. */
  readonly furtherCodes: Set<number>;
}

/** Connections, and numbers that were given out. */
export const mostConnections = 256;

/**
 * The clients of a CAVE server: numbers that were given out over TCP and wait for their first
 * datagram, and connections, each tied to the UDP end point that quoted its number first.
 */
export class Connections {
  /** When each number was given out, ms; the oldest one first. */
  readonly #pending = new Map<number, number>();
  /** Numbers that a datagram has quoted which waits for its step of simulated time. */
  readonly #claimed = new Set<number>();
  readonly #byNumber = new Map<number, Connection>();
  readonly #byEndpoint = new Map<string, Connection>();
  readonly #rates = new Rates();
  #next = 0;

  /** @param ageOutMs Time without a datagram after which a client is removed. */
  constructor(private readonly ageOutMs: number) {}

  /** All connections. */
  get all(): readonly Connection[] {
    return [...this.#byNumber.values()];
  }

  /**
   * A number for a new client. When there are too many, the oldest number that no datagram has quoted
   * expires in its favour; null when each of them was quoted.
   */
  accept(nowMs: number): number | null {
    if (this.#pending.size + this.#claimed.size + this.#byNumber.size >= mostConnections) {
      const [oldest] = this.#pending.keys();
      if (oldest === undefined) return null;
      this.#pending.delete(oldest);
    }
    const number = this.#next++;
    this.#pending.set(number, nowMs);
    return number;
  }

  /**
   * Counts a datagram, or further parts of it.
   * @throws Refusal for what is beyond a rate of {@link Rates}.
   */
  count(endpoint: string, parts: number, nowMs: number): void {
    if (!this.#byEndpoint.has(endpoint)) this.#rates.countUnregistered(nowMs);
    else this.#rates.countClient(endpoint, parts, this.#byNumber.size, nowMs);
  }

  /** Counts what is sent for a client. */
  countSent(endpoint: string, outgoing: readonly { readonly bytes: Uint8Array }[]): void {
    const sent = outgoing.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#rates.countSent(endpoint, sent);
  }

  /** @throws Refusal for a client for which no more may be sent now, by {@link Rates}. */
  checkSent(endpoint: string, nowMs: number): void {
    this.#rates.checkSent(endpoint, this.#byNumber.size, nowMs);
  }

  /** The client with this end point. */
  at(endpoint: string): Connection | undefined {
    return this.#byEndpoint.get(endpoint);
  }

  /**
   * The client that quotes a number.
   * @returns the connection; what it replaces, when the end point had another one; and whether the
   *   datagram has tied the number to its end point.
   * @throws Refusal for a number that was not given out, or that belongs to another end point.
   */
  identify(
    number: number,
    endpoint: string,
    nowMs: number,
  ): { connection: Connection; isNew: boolean; replaced?: Connection } {
    const known = this.#byNumber.get(number);
    if (known !== undefined) {
      if (known.endpoint === endpoint) return { connection: known, isNew: false };
      throw new Refusal(`connection ${number} belongs to another end point`);
    }
    if (!this.#pending.delete(number) && !this.#claimed.delete(number)) {
      throw new Refusal(`connection number ${number} was not given out, or has expired`);
    }
    const replaced = this.#byEndpoint.get(endpoint);
    if (replaced !== undefined) this.remove(replaced);
    const connection = { number, endpoint, seenAtMs: nowMs, furtherCodes: new Set<number>() };
    this.#byNumber.set(number, connection);
    this.#byEndpoint.set(endpoint, connection);
    return { connection, isNew: true, ...(replaced === undefined ? {} : { replaced }) };
  }

  remove({ number, endpoint }: Connection): void {
    this.#byNumber.delete(number);
    this.#byEndpoint.delete(endpoint);
  }

  /**
   * A datagram quotes this number, and waits for its step: the number no longer expires.
   * @returns false for a number that was not given out, or that was quoted before.
   */
  claim(number: number): boolean {
    if (!this.#pending.delete(number)) return false;
    this.#claimed.add(number);
    return true;
  }

  /** Forgets numbers that no datagram has quoted for too long. */
  expirePending(nowMs: number): void {
    for (const [number, sinceMs] of this.#pending) {
      if (nowMs - sinceMs > this.ageOutMs) this.#pending.delete(number);
    }
  }

  /** Forgets numbers that expire. @returns the connections that are silent for too long, removed. */
  ageOut(nowMs: number): Connection[] {
    this.expirePending(nowMs);
    const silent = this.all.filter(({ seenAtMs }) => nowMs - seenAtMs > this.ageOutMs);
    for (const connection of silent) this.remove(connection);
    return silent;
  }
}
