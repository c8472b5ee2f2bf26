const blockBytes = 262_144;

/** Bytes that grow by the block, so that none of them is copied, and that take no room of V8's heap. */
export class ByteBlocks {
  readonly #full: Uint8Array[] = [];
  #block = new Uint8Array(blockBytes);
  #used = 0;

  get length(): number {
    return this.#full.length * blockBytes + this.#used;
  }

  /** All bytes in their order. */
  get blocks(): readonly Uint8Array[] {
    return [...this.#full, this.#block.subarray(0, this.#used)];
  }

  /** The bytes are copied. */
  add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#used === blockBytes) this.#nextBlock();
      const part = bytes.subarray(from, from + blockBytes - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      from += part.length;
    }
  }

  #nextBlock(): void {
    this.#full.push(this.#block);
    this.#block = new Uint8Array(blockBytes);
    this.#used = 0;
  }
}
