import { codes, serverConnection } from './codes.js';
import { isSameType, type Element } from './elements.js';

/** Why an element is not taken. */
export type ElementOutcome = 'applied' | 'stale' | 'otherType' | 'full';

/** Longest datagram with elements, bytes. */
const longestDatagram = 60_000;

/** Which elements a client gets. */
export type ElementFilter = (element: Element) => boolean;

interface StoredElement {
  readonly element: Element;
  /** As it stands in a packet: tag, length and bytes. Of an element with a code: code and bytes. */
  readonly encoded: Uint8Array;
}

/** The newest state of every element, by the number of its connection and its own number. */
export class World {
  readonly #elements = new Map<number, Map<number, StoredElement>>();
  #count = 0;

  /**
   * @param mostOfOne Elements of one connection.
   * @param mostInAll Elements of all connections.
   */
  constructor(
    private readonly mostOfOne: number,
    private readonly mostInAll: number,
  ) {}

  /** Elements of all connections. */
  get size(): number {
    return this.#count;
  }

  /** The elements of a connection. */
  elementsOf(connectionNumber: number): Element[] {
    const own = this.#elements.get(connectionNumber)?.values() ?? [];
    return [...own].map(({ element }) => element);
  }

  has({ connectionNumber, idNumber }: Pick<Element, 'connectionNumber' | 'idNumber'>): boolean {
    return this.#elements.get(connectionNumber)?.has(idNumber) === true;
  }

  /** Applies a state when it is newer than the one of the same element, and of the same type. */
  apply(element: Element): ElementOutcome {
    const { connectionNumber, idNumber } = element;
    const own = this.#elements.get(connectionNumber);
    const known = own?.get(idNumber)?.element;
    if (known === undefined) {
      const isFull =
        connectionNumber !== serverConnection &&
        ((own?.size ?? 0) >= this.mostOfOne || this.#count >= this.mostInAll);
      if (isFull) return 'full';
      this.#count++;
    } else {
      if (!isSameType(known.type, element.type)) return 'otherType';
      if (element.chTime <= known.chTime) return 'stale';
    }
    const elements = own ?? new Map<number, StoredElement>();
    this.#elements.set(connectionNumber, elements);
    elements.set(idNumber, { element, encoded: encodeElement(element) });
    return 'applied';
  }

  /** @returns the element that is removed. */
  remove(connectionNumber: number, idNumber: number): Element | undefined {
    const own = this.#elements.get(connectionNumber);
    const found = own?.get(idNumber);
    if (own === undefined || found === undefined) return undefined;
    own.delete(idNumber);
    if (own.size === 0) this.#elements.delete(connectionNumber);
    this.#count--;
    return found.element;
  }

  /** @returns the elements that are removed. */
  removeAll(connectionNumber: number): Element[] {
    const removed = this.elementsOf(connectionNumber);
    this.#elements.delete(connectionNumber);
    this.#count -= removed.length;
    return removed;
  }

  /**
   * The datagrams with these elements: packets of at most 60,000 bytes, at least one, and one datagram
   * for each element that has a code of its own.
   */
  encode(filter: ElementFilter): Uint8Array[] {
    const datagrams: Uint8Array[] = [];
    const single: Uint8Array[] = [];
    let packet = Buffer.allocUnsafe(longestDatagram);
    packet.set(packetHead);
    let at = packetHead.length;
    for (const elements of this.#elements.values()) {
      for (const { element, encoded } of elements.values()) {
        if (!filter(element)) continue;
        if ('code' in element.type) {
          single.push(encoded);
          continue;
        }
        if (at + encoded.length > longestDatagram) {
          datagrams.push(packet.subarray(0, at));
          packet = Buffer.allocUnsafe(longestDatagram);
          packet.set(packetHead);
          at = packetHead.length;
        }
        packet.set(encoded, at);
        at += encoded.length;
      }
    }
    datagrams.push(packet.subarray(0, at));
    return [...datagrams, ...single];
  }
}

/** The code of a packet, and its connection number: field 1, -1 as a varint of ten bytes. */
const packetHead = Uint8Array.from([codes.packet, 0x08, ...new Array<number>(9).fill(0xff), 0x01]);

function encodeElement({ type, bytes }: Element): Uint8Array {
  const head =
    'code' in type ? [type.code] : [...varint(type.field * 8 + 2), ...varint(bytes.length)];
  const encoded = new Uint8Array(head.length + bytes.length);
  encoded.set(head);
  encoded.set(bytes, head.length);
  return encoded;
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
