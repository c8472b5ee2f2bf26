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
  /** Where it stands in the packets of the whole world. */
  place?: { readonly packet: Uint8Array; readonly at: number } | undefined;
}

/** The newest state of every element, by the number of its connection and its own number. */
export class World {
  readonly #elements = new Map<number, Map<number, StoredElement>>();
  #count = 0;
  /** The packets of the whole world, in which a new state takes the place of the last one. */
  #packets: readonly Uint8Array[] | undefined;

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
    const stored = own?.get(idNumber);
    const known = stored?.element;
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
    const encoded = encodeElement(element);
    const { place } = stored ?? {};
    if (place !== undefined && stored?.encoded.length === encoded.length) {
      place.packet.set(encoded, place.at);
      elements.set(idNumber, { element, encoded, place });
    } else {
      this.#packets = undefined;
      elements.set(idNumber, { element, encoded });
    }
    return 'applied';
  }

  /** @returns the element that is removed. */
  remove(connectionNumber: number, idNumber: number): Element | undefined {
    const own = this.#elements.get(connectionNumber);
    const found = own?.get(idNumber);
    if (own === undefined || found === undefined) return undefined;
    own.delete(idNumber);
    if (own.size === 0) this.#elements.delete(connectionNumber);
    this.#forget([found.element]);
    return found.element;
  }

  /** @returns the elements that are removed. */
  removeAll(connectionNumber: number): Element[] {
    const removed = this.elementsOf(connectionNumber);
    this.#elements.delete(connectionNumber);
    this.#forget(removed);
    return removed;
  }

  #forget(removed: readonly Element[]): void {
    this.#packets = undefined;
    this.#count -= removed.length;
  }

  /**
   * The packets of the whole world without the elements that travel alone. They are made once: a
   * new state is written into them, also into those that are on their way, so that these are newer.
   */
  encodeAll(): readonly Uint8Array[] {
    if (this.#packets === undefined) {
      // The places in packets from before are of no use any more.
      for (const own of this.#elements.values()) {
        for (const stored of own.values()) stored.place = undefined;
      }
      const packets = new PacketWriter();
      for (const own of this.#elements.values()) {
        for (const stored of own.values()) {
          if ('field' in stored.element.type) stored.place = packets.add(stored.encoded);
        }
      }
      this.#packets = packets.finish();
    }
    return this.#packets;
  }

  /** The datagrams of the elements that travel alone with one of these codes. */
  coded(codes: ReadonlySet<number>): Uint8Array[] {
    return [...this.#elements.values()].flatMap((own) =>
      [...own.values()].flatMap(({ element: { type }, encoded }) =>
        'code' in type && codes.has(type.code) ? [encoded] : [],
      ),
    );
  }

  /** The packets of these elements, and one datagram for each of them that travels alone. */
  encode(filter: ElementFilter): Uint8Array[] {
    const packets = new PacketWriter();
    const single: Uint8Array[] = [];
    for (const elements of this.#elements.values()) {
      for (const { element, encoded } of elements.values()) {
        if (!filter(element)) continue;
        if ('code' in element.type) single.push(encoded);
        else packets.add(encoded);
      }
    }
    return [...packets.finish(), ...single];
  }
}

/** Writes elements into packets of at most 60,000 bytes, at least one. */
class PacketWriter {
  readonly #full: Uint8Array[] = [];
  #packet = newPacket();
  #at = packetHead.length;

  add(encoded: Uint8Array): { packet: Uint8Array; at: number } {
    if (this.#at + encoded.length > longestDatagram) {
      this.#full.push(this.#packet.subarray(0, this.#at));
      this.#packet = newPacket();
      this.#at = packetHead.length;
    }
    const at = this.#at;
    this.#packet.set(encoded, at);
    this.#at += encoded.length;
    return { packet: this.#packet, at };
  }

  finish(): Uint8Array[] {
    return [...this.#full, this.#packet.subarray(0, this.#at)];
  }
}

function newPacket(): Uint8Array {
  const packet = new Uint8Array(longestDatagram);
  packet.set(packetHead);
  return packet;
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
