import { Refusal } from './refusal.js';

/** Bytes of the length in front of every frame: uint32. */
export const frameHeaderBytes = 4;

/** Cuts a stream of bytes into frames, wherever TCP splits it. Never holds more than one frame. */
export class FrameDecoder {
  readonly #header = new Uint8Array(frameHeaderBytes);
  #headerFilled = 0;
  #length = 0;
  /** Grows with what has come: a client that claims a length does not make the gateway allocate it. */
  #content = new Uint8Array(0);
  #filled = 0;

  /**
   * @param maxBytes Longest content that is accepted.
   * @param byteOrder Of the length in front of every frame; default: little endian.
   */
  constructor(
    private readonly maxBytes: number,
    private readonly byteOrder: 'little' | 'big' = 'little',
  ) {}

  /** True after a part of a frame: the rest must follow. */
  get inFrame(): boolean {
    return this.#headerFilled > 0;
  }

  /**
   * Takes the next bytes of the stream.
   * @returns the contents of the frames that are complete now. They may share memory with `bytes`.
   * @throws Refusal for a frame that is too long; the stream is of no use after it.
   */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (at < bytes.length) {
      if (this.#headerFilled < frameHeaderBytes) {
        this.#header[this.#headerFilled++] = bytes[at++] ?? 0;
        if (this.#headerFilled < frameHeaderBytes) continue;
        this.#begin();
      }
      const part = bytes.subarray(at, at + this.#length - this.#filled);
      at += part.length;
      if (part.length === this.#length) {
        this.#headerFilled = 0;
        yield part;
        continue;
      }
      this.#append(part);
      if (this.#filled < this.#length) continue;
      this.#headerFilled = 0;
      yield this.#content.subarray(0, this.#length);
    }
  }

  #begin(): void {
    this.#length = new DataView(this.#header.buffer).getUint32(0, this.byteOrder === 'little');
    if (this.#length > this.maxBytes) {
      throw new Refusal(`a frame of ${this.#length} bytes is longer than ${this.maxBytes}`);
    }
    this.#content = new Uint8Array(0);
    this.#filled = 0;
  }

  #append(part: Uint8Array): void {
    const needed = this.#filled + part.length;
    if (needed > this.#content.length) {
      const grown = new Uint8Array(Math.min(this.#length, Math.max(needed, 2 * this.#filled)));
      grown.set(this.#content.subarray(0, this.#filled));
      this.#content = grown;
    }
    this.#content.set(part, this.#filled);
    this.#filled = needed;
  }
}
