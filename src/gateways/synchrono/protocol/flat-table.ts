import { Refusal } from '../../refusal.js';

/** Bytes. Many fields may have the same text, so it is short. */
const longestText = 1024;
const sizeBytes = 4;
/** Sizes of the vtable and of the table. */
const vtableHeadBytes = 4;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A FlatBuffer of a peer. Each offset is checked before it is used. */
class FlatBytes {
  readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws Refusal unless `size` bytes from `at` on are in the buffer. */
  check(at: number, size: number): void {
    if (at < 0 || at + size > this.bytes.length) throw new Refusal('an offset leads out of it');
  }

  /** The place to which the offset at a place leads. */
  follow(at: number): number {
    this.check(at, sizeBytes);
    const target = at + this.view.getUint32(at, true);
    this.check(target, sizeBytes);
    return target;
  }

  text(at: number, length: number): string {
    if (length > longestText) throw new Refusal(`a text is longer than ${longestText} bytes`);
    this.check(at, length);
    try {
      return utf8.decode(this.bytes.subarray(at, at + length));
    } catch {
      throw new Refusal('a text is not UTF-8');
    }
  }
}

/** A table of a FlatBuffer of a peer. Every method throws a Refusal for what is not in the buffer. */
export class FlatTable {
  readonly #buffer: FlatBytes;
  readonly #at: number;
  readonly #size: number;
  readonly #vtable: number;
  readonly #vtableSize: number;

  private constructor(buffer: FlatBytes, at: number) {
    buffer.check(at, sizeBytes);
    const { view } = buffer;
    const vtable = at - view.getInt32(at, true);
    buffer.check(vtable, vtableHeadBytes);
    const vtableSize = view.getUint16(vtable, true);
    const size = view.getUint16(vtable + 2, true);
    if (vtableSize < vtableHeadBytes || size < sizeBytes) {
      throw new Refusal('a table is shorter than its head');
    }
    buffer.check(vtable, vtableSize);
    buffer.check(at, size);
    this.#buffer = buffer;
    this.#at = at;
    this.#size = size;
    this.#vtable = vtable;
    this.#vtableSize = vtableSize;
  }

  /** The root of a size-prefixed buffer. @throws Refusal */
  static root(bytes: Uint8Array): FlatTable {
    const buffer = new FlatBytes(bytes);
    buffer.check(0, sizeBytes);
    if (buffer.view.getUint32(0, true) !== bytes.length - sizeBytes) {
      throw new Refusal('its length is not the one that it has at its beginning');
    }
    return new FlatTable(buffer, buffer.follow(sizeBytes));
  }

  /** Where a field of `size` bytes is; undefined when it is left out. */
  #field(slot: number, size: number): number | undefined {
    const entry = vtableHeadBytes + 2 * slot;
    if (entry + 2 > this.#vtableSize) return undefined;
    const offset = this.#buffer.view.getUint16(this.#vtable + entry, true);
    if (offset === 0) return undefined;
    if (offset < sizeBytes || offset + size > this.#size) {
      throw new Refusal('a field is not in its table');
    }
    return this.#at + offset;
  }

  uint8(slot: number): number {
    const at = this.#field(slot, 1);
    return at === undefined ? 0 : this.#buffer.view.getUint8(at);
  }

  int32(slot: number): number {
    const at = this.#field(slot, 4);
    return at === undefined ? 0 : this.#buffer.view.getInt32(at, true);
  }

  /** @throws Refusal also for a number that is not finite. */
  double(slot: number): number {
    const at = this.#field(slot, 8);
    if (at === undefined) return 0;
    const value = this.#buffer.view.getFloat64(at, true);
    if (!Number.isFinite(value)) throw new Refusal('a number is not finite');
    return value;
  }

  /** A struct of two int32; undefined when it is left out. */
  int32Pair(slot: number): readonly [number, number] | undefined {
    const at = this.#field(slot, 8);
    if (at === undefined) return undefined;
    const { view } = this.#buffer;
    return [view.getInt32(at, true), view.getInt32(at + 4, true)];
  }

  /** UTF-8, at most 1,024 bytes; empty when it is left out. */
  text(slot: number): string {
    const at = this.#field(slot, sizeBytes);
    if (at === undefined) return '';
    const start = this.#buffer.follow(at);
    return this.#buffer.text(start + sizeBytes, this.#buffer.view.getUint32(start, true));
  }

  table(slot: number): FlatTable | undefined {
    const at = this.#field(slot, sizeBytes);
    return at === undefined ? undefined : new FlatTable(this.#buffer, this.#buffer.follow(at));
  }

  /** Number of tables of a vector, all of whose offsets are in the buffer; 0 when it is left out. */
  count(slot: number): number {
    return this.#vector(slot).length;
  }

  /** The tables of a vector. */
  *tables(slot: number): Generator<FlatTable> {
    const { start, length } = this.#vector(slot);
    for (let i = 0; i < length; i++) {
      yield new FlatTable(this.#buffer, this.#buffer.follow(start + sizeBytes * i));
    }
  }

  #vector(slot: number): { readonly start: number; readonly length: number } {
    const at = this.#field(slot, sizeBytes);
    if (at === undefined) return { start: 0, length: 0 };
    const head = this.#buffer.follow(at);
    const length = this.#buffer.view.getUint32(head, true);
    const start = head + sizeBytes;
    this.#buffer.check(start, length * sizeBytes);
    return { start, length };
  }
}
