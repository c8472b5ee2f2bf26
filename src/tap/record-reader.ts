import { checkContent, type ContentRecord } from './contents.js';
import { FrameReader, type EffectRecord, type EventRecord } from './frames.js';

/** One record of the tap, and its frame as it came. */
export type TapRecord = (EventRecord | EffectRecord | ContentRecord) & {
  /** With its header; the bytes of the record are views of it. */
  readonly frame: Uint8Array;
};

/** Reads the frames of one stream in their order. */
export class RecordReader {
  readonly #frames = new FrameReader();

  /**
   * @param frame with its header.
   * @throws TapFormatError when it is no frame of this version.
   */
  read(frame: Uint8Array): TapRecord {
    const record = this.#frames.read(frame);
    if ('content' in record) return { ...checkContent(record), frame };
    return { ...record, frame };
  }
}
