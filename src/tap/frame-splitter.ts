import { TapFormatError } from './byte-reader.js';
import { headerBytes, mostBodyBytes } from './frame-layout.js';

/** Cuts a stream of bytes into frames. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** True when the bytes so far end in the middle of a frame. */
  get isWithin(): boolean {
    return this.#rest.length > 0;
  }

  /**
   * Takes in the next bytes.
   * @returns the frames that are complete now, with their headers; views of the bytes.
   * @throws TapFormatError when a frame is longer than any.
   */
  push(bytes: Buffer): Buffer[] {
    const frames: Buffer[] = [];
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (all.length - at >= headerBytes) {
      const size = all.readUInt32LE(at);
      if (size > mostBodyBytes) throw new TapFormatError(`a frame has ${size} bytes`);
      const end = at + headerBytes + size;
      if (end > all.length) break;
      frames.push(all.subarray(at, end));
      at = end;
    }
    this.#rest = all.subarray(at);
    return frames;
  }
}
