import { Refusal } from '../../refusal.js';

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

/** Bounds of all clients together. */
const mostConnections = 256;
/** Bounds of the datagrams of one client in a second, and of all clients. */
const mostPerSecond = 2000;
const mostInAllPerSecond = 20_000;
const rateWindowMs = 1000;

/**
 * The clients of a CAVE server: numbers that were given out over TCP and wait for their first
 * datagram, and connections, each tied to the UDP end point that quoted its number first.
 */
export class Connections {
  readonly #pending = new Map<number, number>();
  readonly #byNumber = new Map<number, Connection>();
  readonly #byEndpoint = new Map<string, Connection>();
  #next = 0;
  readonly #rates = new Map<string, number>();
  #inAll = 0;
  #windowFromMs = -Infinity;

  /** @param ageOutMs Time without a datagram after which a client is removed. */
  constructor(private readonly ageOutMs: number) {}

  /** All connections. */
  get all(): readonly Connection[] {
    return [...this.#byNumber.values()];
  }

  /** A number for a new client; null when there are too many. */
  accept(nowMs: number): number | null {
    if (this.#pending.size + this.#byNumber.size >= mostConnections) return null;
    const number = this.#next++;
    this.#pending.set(number, nowMs);
    return number;
  }

  /**
   * Counts a datagram.
   * @throws Refusal for one beyond the rate of a client, or of all clients.
   */
  count(endpoint: string, nowMs: number): void {
    if (nowMs - this.#windowFromMs >= rateWindowMs) {
      this.#rates.clear();
      this.#inAll = 0;
      this.#windowFromMs = nowMs;
    }
    const own = (this.#rates.get(endpoint) ?? 0) + 1;
    // Datagrams of any sender come here: the map must not grow with their addresses.
    if (this.#byEndpoint.has(endpoint)) this.#rates.set(endpoint, own);
    this.#inAll++;
    if (own > mostPerSecond) throw new Refusal(`more than ${mostPerSecond} datagrams in a second`);
    if (this.#inAll > mostInAllPerSecond) {
      throw new Refusal(`more than ${mostInAllPerSecond} datagrams of all clients in a second`);
    }
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
    if (!this.#pending.delete(number)) {
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

  /** True while a number was given out and no datagram has quoted it. */
  isPending(number: number): boolean {
    return this.#pending.has(number);
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
