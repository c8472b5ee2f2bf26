const initialCapacity = 4096;

/**
 * Writes the numbers and bytes of frames one after the other, little endian, into memory that grows.
 * A number that does not fit its size is stored modulo that size.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(initialCapacity);
  #view = viewOf(this.#bytes);
  #length = 0;

  /** Bytes written since the last {@link take}. */
  get length(): number {
    return this.#length;
  }

  /** All bytes since the last call, in memory of their own. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  /** Forgets what was written after this length. */
  truncate(length: number): void {
    this.#length = length;
  }

  uint8(value: number): void {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
  }

  uint32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }

  /** Signed or unsigned, 64 bits. */
  int64(value: bigint): void {
    const at = this.#grow(8);
    this.#view.setBigInt64(at, value, true);
  }

  float64(value: number): void {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
  }

  bytes(value: Uint8Array): void {
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
  }

  /** UTF-8. @returns the bytes that were written. */
  text(value: string): number {
    const at = this.#grow(0, value.length * 3);
    const written = this.#bytes.write(value, at);
    this.#length = at + written;
    return written;
  }

  /** Replaces four bytes that were written already. */
  setUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  #grow(size: number, room = size): number {
    const at = this.#length;
    if (at + room > this.#bytes.length) this.#reserve(at + room);
    this.#length = at + size;
    return at;
  }

  #reserve(least: number): void {
    let capacity = this.#bytes.length;
    while (capacity < least) capacity *= 2;
    const bytes = Buffer.allocUnsafeSlow(capacity);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
