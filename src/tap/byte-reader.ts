/** Bytes that are no frame of the tap. */
export class TapFormatError extends Error {
  override readonly name = 'TapFormatError';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads what `ByteWriter` wrote. No method reads past the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  /** @param bytes read as long as this reader is used. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes that are not read yet. */
  get left(): number {
    return this.#bytes.length - this.#position;
  }

  uint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Passes over bytes. */
  skip(size: number): void {
    this.#take(size);
  }

  /** A view of the bytes. */
  bytes(size: number): Uint8Array {
    const at = this.#take(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** UTF-8. @throws TapFormatError when it is not. */
  text(size: number): string {
    try {
      return utf8.decode(this.bytes(size));
    } catch (error) {
      if (error instanceof TapFormatError) throw error;
      throw new TapFormatError(`${size} bytes are no UTF-8`);
    }
  }

  /** @throws TapFormatError unless all bytes are read. */
  end(): void {
    if (this.left > 0) throw new TapFormatError(`${this.left} bytes are left over`);
  }

  #take(size: number): number {
    if (size > this.left) {
      throw new TapFormatError(`${size} bytes are wanted, and ${this.left} are left`);
    }
    const at = this.#position;
    this.#position += size;
    return at;
  }
}
