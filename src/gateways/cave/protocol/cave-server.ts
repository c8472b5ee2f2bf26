import { Refusal } from '../../refusal.js';
import { codes, serverConnection } from './codes.js';
import { Connections, type Connection } from './connections.js';
import { decodeDatagram, partsOf, quotedNumber, type Datagram, type Dsrc } from './datagram.js';
import type { Element } from './elements.js';
import { World, type ElementFilter } from './world.js';

const mostElementsOfOne = 256;
const mostElementsInAll = 4096;

/** Events of the server. */
export interface CaveServerEvents {
  /**
   * A client has a new vehicle.
   * @returns false when the lab has no place for it: the element is refused.
   */
  vehicleAdded(element: Element): boolean;
  /** A vehicle has a newer state. */
  vehicleMoved(element: Element): void;
  vehicleRemoved(element: Element): void;
  /** A client is registered, or is gone. */
  connected(connection: Connection): void;
  disconnected(connection: Connection, cause: 'left' | 'silent' | 'replaced'): void;
  /** Input of this end point is refused; the rest of the server is not concerned. */
  refused(endpoint: string, cause: string): void;
}

/** Which elements clients get. */
export interface WorldView {
  /** Distance to the nearest element of a client up to which it gets others, m; all without it. */
  readonly range?: number | undefined;
  /** The vehicles of the lab, those of clients, or both. */
  readonly subset: 'all' | 'lab' | 'clients';
}

/** A datagram to a client. */
export interface Outgoing {
  readonly endpoint: string;
  readonly bytes: Uint8Array;
}

/** The rules of a CAVE server, without sockets and clocks. */
export class CaveServer {
  readonly world = new World(mostElementsOfOne, mostElementsInAll);
  readonly connections: Connections;
  readonly #events: CaveServerEvents;
  readonly #view: WorldView;
  readonly #ageOutMs: number;
  readonly #labSeenAtMs = new Map<number, number>();

  constructor(events: CaveServerEvents, options: { ageOutMs: number; view: WorldView }) {
    this.#events = events;
    this.#view = options.view;
    this.#ageOutMs = options.ageOutMs;
    this.connections = new Connections(options.ageOutMs);
  }

  /**
   * A datagram came.
   * @param isHeld It has waited for its step; what waits has a bound of its own.
   * @returns what is sent for it.
   */
  onDatagram(endpoint: string, bytes: Uint8Array, nowMs: number, isHeld = false): Outgoing[] {
    const outgoing: Outgoing[] = [];
    try {
      // Before the bytes are read: a flood must stay cheap.
      if (!isHeld) this.connections.count(endpoint, 1, nowMs);
      for (const make of this.#handle(endpoint, decodeDatagram(bytes), nowMs, isHeld)) {
        // Before it is made, for the same reason.
        if (!isHeld) this.connections.checkSent(endpoint, nowMs);
        const made = make();
        if (!isHeld) this.connections.countSent(endpoint, made);
        outgoing.push(...made);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#events.refused(endpoint, error.message);
    }
    return outgoing;
  }

  /** A vehicle of the lab has a new state. @param nowMs Any monotonic clock, ms. */
  setLabElement(element: Element, nowMs: number): void {
    if (this.world.apply(element) === 'applied') this.#labSeenAtMs.set(element.idNumber, nowMs);
  }

  /** To be called from time to time: clients and vehicles of the lab that are silent are removed. */
  ageOut(nowMs: number): void {
    this.ageOutLab(nowMs);
    for (const connection of this.connections.ageOut(nowMs)) this.#forget(connection, 'silent');
  }

  /**
   * Removes vehicles of the lab that are silent.
   * @param nowMs By the clock of {@link setLabElement}.
   */
  ageOutLab(nowMs: number): void {
    for (const [vehicleId, seenAtMs] of this.#labSeenAtMs) {
      if (nowMs - seenAtMs <= this.#ageOutMs) continue;
      this.#labSeenAtMs.delete(vehicleId);
      this.world.remove(serverConnection, vehicleId);
    }
  }

  /** Removes a client that is silent. */
  drop(endpoint: string): void {
    const connection = this.connections.at(endpoint);
    if (connection === undefined) return;
    this.connections.remove(connection);
    this.#forget(connection, 'silent');
  }

  /** @returns what makes the datagrams that are sent for it. */
  #handle(
    endpoint: string,
    datagram: Datagram,
    nowMs: number,
    isHeld: boolean,
  ): (() => Outgoing[])[] {
    const { connection, isNew } = this.#sender(endpoint, datagram, nowMs);
    connection.seenAtMs = nowMs;
    if (!isHeld) this.connections.count(endpoint, partsOf(datagram) - 1, nowMs);
    const relays: (() => Outgoing[])[] = [];
    switch (datagram.kind) {
      case 'disconnect':
        this.connections.remove(connection);
        this.#forget(connection, 'left');
        return [];
      case 'reset':
        this.#removeAll(connection);
        break;
      case 'element':
        this.#apply(connection, datagram.element);
        break;
      case 'packet':
        this.#replaceAll(connection, datagram.elements);
        for (const dsrc of datagram.dsrc) relays.push(() => this.#relay(dsrc));
        break;
      case 'dsrc':
        relays.push(() => this.#relay(datagram.dsrc));
        break;
      case 'heartbeat':
        break;
    }
    // The datagram that registers a client has no answer.
    if (isNew) return relays;
    return [...relays, () => this.#answerFor(connection).map((bytes) => ({ endpoint, bytes }))];
  }

  #sender(endpoint: string, datagram: Datagram, nowMs: number) {
    const number = quotedNumber(datagram);
    if (number === null) {
      const connection = this.connections.at(endpoint);
      if (connection === undefined) throw new Refusal('the sender is not registered');
      return { connection, isNew: false };
    }
    const found = this.connections.identify(number, endpoint, nowMs);
    if (found.replaced !== undefined) this.#forget(found.replaced, 'replaced');
    if (found.isNew) this.#events.connected(found.connection);
    return found;
  }

  #apply(connection: Connection, element: Element): void {
    const { type, idNumber, vehicle } = element;
    const isNew = !this.world.has(element);
    const outcome = this.world.apply(element);
    if (outcome === 'stale') return;
    if (outcome !== 'applied') {
      const causes = {
        otherType: `element ${idNumber} has had another type`,
        full: `element ${idNumber} is one too many`,
      };
      this.#events.refused(connection.endpoint, causes[outcome]);
      return;
    }
    if ('code' in type) connection.furtherCodes.add(type.code);
    if (vehicle === undefined) return;
    if (isNew && !this.#events.vehicleAdded(element)) {
      this.world.remove(connection.number, idNumber);
      this.#events.refused(
        connection.endpoint,
        `element ${idNumber} of connection ${connection.number} has no vehicle id left; give more with --ids`,
      );
      return;
    }
    this.#events.vehicleMoved(element);
  }

  /** A packet has all elements of its sender that travel in packets. */
  #replaceAll(connection: Connection, elements: readonly Element[]): void {
    const present = new Set(elements.map(({ idNumber }) => idNumber));
    for (const { type, idNumber } of this.world.elementsOf(connection.number)) {
      if ('field' in type && !present.has(idNumber)) this.#remove(connection, idNumber);
    }
    for (const element of elements) this.#apply(connection, element);
  }

  #remove(connection: Connection, idNumber: number): void {
    const removed = this.world.remove(connection.number, idNumber);
    if (removed?.vehicle !== undefined) this.#events.vehicleRemoved(removed);
  }

  #removeAll({ number }: Connection): void {
    for (const element of this.world.removeAll(number)) {
      if (element.vehicle !== undefined) this.#events.vehicleRemoved(element);
    }
  }

  #forget(connection: Connection, cause: 'left' | 'silent' | 'replaced'): void {
    this.#removeAll(connection);
    this.#events.disconnected(connection, cause);
  }

  #relay({ connectionNumber, bytes }: Dsrc): Outgoing[] {
    const datagram = Uint8Array.from([codes.dsrc, ...bytes]);
    return this.connections.all
      .filter(({ number }) => number !== connectionNumber)
      .map(({ endpoint }) => ({ endpoint, bytes: datagram }));
  }

  #answerFor(connection: Connection): readonly Uint8Array[] {
    const { range, subset } = this.#view;
    if (range !== undefined || subset !== 'all')
      return this.world.encode(this.#filterFor(connection));
    // The packets are made once for all clients.
    const packets = this.world.encodeAll();
    const { furtherCodes } = connection;
    return furtherCodes.size === 0 ? packets : [...packets, ...this.world.coded(furtherCodes)];
  }

  #filterFor({ number, furtherCodes }: Connection): ElementFilter {
    const { range, subset } = this.#view;
    const own = this.world.elementsOf(number).flatMap(({ vehicle }) => vehicle?.pose ?? []);
    const isNear = ({ vehicle }: Element) =>
      range === undefined ||
      vehicle === undefined ||
      own.length === 0 ||
      own.some(({ x, y }) => Math.hypot(x - vehicle.pose.x, y - vehicle.pose.y) <= range);
    return (element) => {
      const { type, connectionNumber } = element;
      // A client that does not know a code has no use for its datagrams.
      if ('code' in type && !furtherCodes.has(type.code)) return false;
      if (connectionNumber === number) return true;
      const isOfLab = connectionNumber < 0;
      if (subset !== 'all' && isOfLab !== (subset === 'lab')) return false;
      return isNear(element);
    };
  }
}
