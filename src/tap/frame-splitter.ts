import { TapFormatError } from './byte-reader.js';
import { frameTypes, headerBytes, mostBodyBytes, typeOffset } from './frame-layout.js';

const endType = frameTypes.indexOf('end');

/** Cuts a stream of bytes into frames. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  /** True when the bytes so far end in the middle of a frame. */
  get isWithin(): boolean {
    return this.#rest.length > 0;
  }

  /** True when the last complete frame is the end of a stream. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Takes in the next bytes.
   * @returns the frames that are complete now, with their headers, one after the other; a view of the bytes.
   * @throws TapFormatError when a frame is longer than any.
   */
  complete(bytes: Buffer): Buffer {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (all.length - at >= headerBytes) {
      const size = all.readUInt32LE(at);
      if (size > mostBodyBytes) throw new TapFormatError(`a frame has ${size} bytes`);
      const end = at + headerBytes + size;
      if (end > all.length) break;
      this.#hasEnded = all[at + typeOffset] === endType;
      at = end;
    }
    this.#rest = all.subarray(at);
    return all.subarray(0, at);
  }

  /** As {@link complete}, each frame by itself. */
  push(bytes: Buffer): Buffer[] {
    return splitFrames(this.complete(bytes));
  }
}

/** @param frames whole ones. @returns views of them. */
export function splitFrames(frames: Buffer): Buffer[] {
  const single: Buffer[] = [];
  for (let at = 0; at < frames.length;) {
    const end = at + headerBytes + frames.readUInt32LE(at);
    single.push(frames.subarray(at, end));
    at = end;
  }
  return single;
}
