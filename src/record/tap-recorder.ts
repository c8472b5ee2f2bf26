import type { ClockReading } from '../core/index.js';
import { CdrWriter } from '../messages/index.js';
import {
  channelTopic,
  FrameCursor,
  type FrameType,
  RecordReader,
  type TapDropped,
  type TapRecord,
} from '../tap/index.js';
import { markTopic, recordedChannels, tapTopic } from './channels.js';
import type { RecordingFile } from './recording-file.js';

/** The entry of the log that `hlc-middleware mark` makes has the text in this field. */
export const markField = 'mark';

interface ChannelCount {
  readonly id: number;
  messages: number;
}

/** Writes the frames of a tap to a recording: each frame, and each sample on the topic of its side. */
export class TapRecorder {
  readonly #file: Pick<RecordingFile, 'add'>;
  readonly #cdr = new CdrWriter();
  readonly #cursor = new FrameCursor();
  readonly #records = new RecordReader();
  readonly #channels = new Map<string, ChannelCount>(
    recordedChannels.map(({ id, topic }) => [topic, { id, messages: 0 }]),
  );
  readonly #dropped = new Map<string, number>();
  /** From the monotonic clock to the time since 1970 when the recording began, ns. */
  #epochNs: bigint | undefined;
  #logTimeNs = 0n;

  constructor(file: Pick<RecordingFile, 'add'>) {
    this.#file = file;
  }

  /** Records that the recorder was too slow for, by type, kind and topic. */
  get dropped(): ReadonlyMap<string, number> {
    return this.#dropped;
  }

  /** Messages written, by topic. */
  get written(): ReadonlyMap<string, number> {
    return new Map([...this.#channels].map(([topic, { messages }]) => [topic, messages]));
  }

  /**
   * Takes the next frames of the tap, whole ones. They become one message, which costs least.
   * @throws TapFormatError when a frame is broken.
   */
  add(frames: Buffer): void {
    const cursor = this.#cursor;
    cursor.begin(frames);
    while (cursor.next()) this.#take(cursor.type);
    if (frames.length > 0) this.#write(tapTopic, this.#messageOf(frames));
  }

  #take(type: FrameType): void {
    switch (type) {
      case 'event':
        if (this.#epochNs === undefined) this.#setEpoch(this.#cursor.at);
        else this.#setTime(this.#epochNs + this.#cursor.monotonicNs);
        this.#writeSample(type);
        return;
      case 'effect':
        this.#writeSample(type);
        return;
      case 'hello':
      case 'dropped':
      case 'log':
        this.#takeRecord(this.#records.read(this.#cursor.frame));
        return;
      default:
    }
  }

  #takeRecord(record: TapRecord): void {
    if (record.type === 'hello') this.#setEpoch(record.content.clock);
    if (record.type === 'dropped') this.#countDropped(record.content);
    if (record.type === 'log') this.#writeMark(record.content[markField]);
  }

  #writeSample(type: 'event' | 'effect'): void {
    const { topic } = this.#cursor;
    if (topic === '') return;
    this.#cursor.findSample(type);
    const { sampleIn, sampleStart, sampleEnd } = this.#cursor;
    this.#write(channelTopic(type, topic), sampleIn, sampleStart, sampleEnd);
  }

  #countDropped({ records }: TapDropped): void {
    for (const { type, kind, topic, count } of records) {
      const name = [type, kind, topic].filter((part) => part !== '').join(' ');
      this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + count);
    }
  }

  #writeMark(text: unknown): void {
    if (typeof text === 'string') this.#write(markTopic, this.#textOf(text));
  }

  /** The monotonic clock never steps; the wall clock is in the frames. */
  #setEpoch({ monotonicNs, realtimeNs }: ClockReading): void {
    this.#epochNs ??= realtimeNs - monotonicNs;
    this.#setTime(this.#epochNs + monotonicNs);
  }

  #setTime(timeNs: bigint): void {
    if (timeNs > this.#logTimeNs) this.#logTimeNs = timeNs;
  }

  #write(topic: string, data: Uint8Array, start = 0, end = data.length): void {
    const channel = this.#channels.get(topic);
    if (channel === undefined) throw new RangeError(`${topic} is no topic of a recording`);
    const sequence = channel.messages++ % sequenceNumbers;
    const logTime = this.#logTimeNs;
    const message = { channelId: channel.id, sequence, logTime, publishTime: logTime, data };
    this.#file.add(message, start, end);
  }

  #messageOf(frames: Buffer): Uint8Array {
    const w = this.#cdr.begin();
    w.octets(frames, 'data');
    return w.finishShared();
  }

  #textOf(text: string): Uint8Array {
    const w = this.#cdr.begin();
    w.string(text, 'data');
    return w.finishShared();
  }
}

/** Sequence numbers of MCAP have 32 bits. */
const sequenceNumbers = 2 ** 32;
