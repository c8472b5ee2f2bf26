import type { Duplex } from 'node:stream';

import { codes, encodeAccept } from './protocol/codes.js';

/** Longest time from the begin of a TCP connection to its end, ms. */
const longestMs = 5000;
/** Open TCP connections; each lasts for one request. */
const mostOpen = 64;

/** What {@link Handshakes} needs. */
export interface HandshakeEvents {
  /** Gives the number of a connection; null: the server is full. */
  accept(): number | null;
  refused(address: string, cause: string): void;
}

interface Handshake {
  readonly address: string;
  readonly deadline: NodeJS.Timeout;
  isAnswered: boolean;
}

/** Connection requests over TCP: the server answers one of each TCP connection, and closes it. */
export class Handshakes {
  readonly #events: HandshakeEvents;
  /** In the order in which they began. */
  readonly #open = new Map<Duplex, Handshake>();

  constructor(events: HandshakeEvents) {
    this.#events = events;
  }

  /**
   * Waits for the request of a TCP connection, 5 s at most. When 64 are open, the oldest one is closed in
   * favour of the new one.
   */
  add(socket: Duplex, address: string): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= mostOpen) {
      this.#drop(oldest, `${mostOpen} newer connections came before its connection request`);
    }
    const deadline = setTimeout(
      () => this.#drop(socket, `no connection request came for ${longestMs} ms`),
      longestMs,
    );
    const handshake = { address, deadline, isAnswered: false };
    this.#open.set(socket, handshake);
    socket.on('error', () => undefined); // a client that is gone needs no answer
    socket.once('close', () => this.#forget(socket));
    socket.once('data', (bytes: Uint8Array) => {
      socket.on('data', () => undefined);
      handshake.isAnswered = true;
      socket.end(this.#answer(bytes[0] ?? 0, address));
    });
  }

  close(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #answer(code: number, address: string): Uint8Array {
    const decline = Uint8Array.of(codes.connectionDecline);
    if (code !== codes.connectionRequest) {
      this.#events.refused(address, `code ${code} is no connection request`);
      return decline;
    }
    const number = this.#events.accept();
    if (number !== null) return encodeAccept(number);
    this.#events.refused(address, 'the server has as many clients as it can have');
    return decline;
  }

  #drop(socket: Duplex, cause: string): void {
    const handshake = this.#open.get(socket);
    this.#forget(socket);
    if (handshake?.isAnswered === false) this.#events.refused(handshake.address, cause);
    socket.destroy();
  }

  #forget(socket: Duplex): void {
    clearTimeout(this.#open.get(socket)?.deadline);
    this.#open.delete(socket);
  }
}
