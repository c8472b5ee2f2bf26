import type { ClockReading } from '../core/index.js';
import { TapFormatError } from './byte-reader.js';
import {
  effectHead,
  effectKinds,
  eventHead,
  eventKinds,
  type FrameType,
  frameTypes,
  haveSameNumber,
  headerBytes,
  known,
  kindOffset,
  type SampleTopic,
  sampleTopics,
  topicOffset,
  typeOffset,
} from './frame-layout.js';
import { effectSampleAt, eventSampleAt, sampleEnd, sampleStart } from './sample-place.js';

const eventType = frameTypes.indexOf('event');

/**
 * Goes through the frames of one stream, and finds their samples. Other than `RecordReader`, it makes no
 * object for a frame: a recorder has thousands per second.
 */
export class FrameCursor {
  #frames: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  #end = 0;
  #sampleIn = this.#frames;
  #sampleStart = 0;
  #sampleEnd = 0;
  /** The newest event, and where its sample stands: a command is forwarded as it was received. */
  #eventIn = this.#frames;
  #eventAt = 0;
  #eventEnd = 0;

  /** @param frames whole ones, which follow those before; the newest event of them is kept. */
  begin(frames: Buffer): void {
    this.#frames = frames;
    this.#view = new DataView(frames.buffer, frames.byteOffset, frames.length);
    this.#at = this.#end = 0;
  }

  /**
   * Moves to the next frame.
   * @returns false at the end.
   * @throws TapFormatError when it is an event that is cut.
   */
  next(): boolean {
    this.#at = this.#end;
    if (this.#at === this.#frames.length) return false;
    this.#end = this.#at + headerBytes + this.#view.getUint32(this.#at, true);
    if (this.#frames[this.#at + typeOffset] === eventType) this.#keepEvent();
    return true;
  }

  /** With its header. */
  get frame(): Buffer {
    return this.#frames.subarray(this.#at, this.#end);
  }

  /** @throws TapFormatError for an unknown one. */
  get type(): FrameType {
    return known(frameTypes, this.#frames[this.#at + typeOffset] ?? 0);
  }

  /** Of its sample; empty when it has none. @throws TapFormatError for an unknown one. */
  get topic(): SampleTopic | '' {
    return known(sampleTopics, this.#frames[this.#at + topicOffset] ?? 0);
  }

  /** Of an event: when its effects were performed, on the clock that never steps. */
  get monotonicNs(): bigint {
    return this.#view.getBigInt64(this.#at + headerBytes + 8, true);
  }

  /** Of an event: when its effects were performed. */
  get at(): ClockReading {
    const realtimeNs = this.#view.getBigInt64(this.#at + headerBytes + 16, true);
    return { monotonicNs: this.monotonicNs, realtimeNs };
  }

  /**
   * Finds the sample of an event or effect with a topic: `sampleBytes`, from `sampleStart` to `sampleEnd`.
   * @throws TapFormatError when the frame has no such sample.
   */
  findSample(type: 'event' | 'effect'): void {
    const kind = this.#frames[this.#at + kindOffset] ?? 0;
    if (type === 'event') {
      this.#find(eventSampleAt(known(eventKinds, kind), this.#frames, this.#at, this.#end));
      return;
    }
    this.#need(effectHead);
    const effect = known(effectKinds, kind);
    if (effect === 'forwardCommand') this.#findForwarded();
    else this.#find(effectSampleAt(effect, this.#frames, this.#at, this.#end));
  }

  /** The bytes that have the sample. */
  get sampleIn(): Buffer {
    return this.#sampleIn;
  }

  get sampleStart(): number {
    return this.#sampleStart;
  }

  get sampleEnd(): number {
    return this.#sampleEnd;
  }

  #keepEvent(): void {
    this.#need(eventHead);
    this.#eventIn = this.#frames;
    this.#eventAt = this.#at;
    this.#eventEnd = this.#end;
  }

  #findForwarded(): void {
    const [frames, at, end] = [this.#eventIn, this.#eventAt, this.#eventEnd];
    if (end === 0 || !haveSameNumber(frames, at, this.#frames, this.#at)) {
      throw new TapFormatError('an effect does not follow its event');
    }
    const kind = known(eventKinds, frames[at + kindOffset] ?? 0);
    this.#find(eventSampleAt(kind, frames, at, end), frames, end);
  }

  #find(place: number, frames = this.#frames, end = this.#end): void {
    if (place < 0) throw new TapFormatError('a frame with a topic has no sample');
    this.#sampleIn = frames;
    this.#sampleStart = sampleStart(place);
    this.#sampleEnd = sampleEnd(frames, place, end);
  }

  #need(bytes: number): void {
    if (this.#end - this.#at < bytes) throw new TapFormatError('a frame is cut');
  }
}
