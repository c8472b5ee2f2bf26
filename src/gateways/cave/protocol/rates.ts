import { Refusal } from '../../refusal.js';

/** Parts of the datagrams of one client in a second: 40 vehicles at 50 Hz. */
const mostOfOne = 2000;
/** Parts of the datagrams of all clients in a second. */
const mostInAll = 20_000;
/** Datagrams of all senders without a connection in a second. */
const mostUnregistered = 2000;
const mib = 1024 * 1024;
/** Bytes that one client makes the server send in a second: answers, and messages to the others. */
export const mostSentForOne = 64 * mib;
/** The same of all clients. */
const mostSentInAll = 1024 * mib;
const windowMs = 1000;

/**
 * Counts what datagrams cause within a second, in parts: see `partsOf`. What is refused does not count.
 * So a client cannot use up what the others may send, and a sender without a connection cannot either.
 */
export class Rates {
  /** Of clients only: the map must not grow with the addresses of strangers. */
  readonly #byEndpoint = new Map<string, number>();
  #inAll = 0;
  /** Bytes that were sent for each client. */
  readonly #sentFor = new Map<string, number>();
  #sentInAll = 0;
  #unregistered = 0;
  #fromMs = -Infinity;

  /**
   * Counts a datagram of a sender without a connection.
   * @throws Refusal for one beyond the rate of all such senders.
   */
  countUnregistered(nowMs: number): void {
    this.#begin(nowMs);
    if (this.#unregistered >= mostUnregistered) {
      throw new Refusal(`more than ${mostUnregistered} datagrams without a connection in a second`);
    }
    this.#unregistered++;
  }

  /**
   * Counts parts of a client.
   * @param clients Number of all clients.
   * @throws Refusal beyond the rate of a client. Beyond the rate of all clients, for a client that has
   *   more than an equal share of it.
   */
  countClient(endpoint: string, parts: number, clients: number, nowMs: number): void {
    this.#begin(nowMs);
    const own = (this.#byEndpoint.get(endpoint) ?? 0) + parts;
    if (own > mostOfOne) {
      throw new Refusal(`more than ${mostOfOne} datagrams and parts of packets in a second`);
    }
    const inAll = this.#inAll + parts;
    if (inAll > mostInAll && own > mostInAll / clients) {
      throw new Refusal(`more than ${mostInAll} datagrams and parts of all clients in a second`);
    }
    this.#byEndpoint.set(endpoint, own);
    this.#inAll = inAll;
  }

  /** Counts bytes that are sent for a client. */
  countSent(endpoint: string, bytes: number): void {
    this.#sentFor.set(endpoint, (this.#sentFor.get(endpoint) ?? 0) + bytes);
    this.#sentInAll += bytes;
  }

  /**
   * @param clients Number of all clients.
   * @throws Refusal when as much was sent for a client as may be. When that holds for all clients
   *   together, for a client that has had more than an equal share of it.
   */
  checkSent(endpoint: string, clients: number, nowMs: number): void {
    this.#begin(nowMs);
    const own = this.#sentFor.get(endpoint) ?? 0;
    if (own >= mostSentForOne) {
      throw new Refusal(
        `it makes the gateway send more than ${mostSentForOne / mib} MiB in a second`,
      );
    }
    if (this.#sentInAll >= mostSentInAll && own >= mostSentInAll / clients) {
      throw new Refusal(
        `clients make the gateway send more than ${mostSentInAll / mib} MiB in a second`,
      );
    }
  }

  #begin(nowMs: number): void {
    if (nowMs - this.#fromMs < windowMs) return;
    this.#byEndpoint.clear();
    this.#inAll = 0;
    this.#sentFor.clear();
    this.#sentInAll = 0;
    this.#unregistered = 0;
    this.#fromMs = nowMs;
  }
}
