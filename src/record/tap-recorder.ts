import type { ClockReading } from '../core/index.js';
import { CdrWriter } from '../messages/index.js';
import { channelTopic, type TapDropped, type TapRecord, type TapSample } from '../tap/index.js';
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

  /** Takes the next records of the tap. Their frames become one message, which costs least. */
  add(records: readonly TapRecord[]): void {
    for (const record of records) this.#take(record);
    if (records.length > 0) this.#write(tapTopic, this.#framesOf(records));
  }

  #take(record: TapRecord): void {
    switch (record.type) {
      case 'event':
        if (this.#epochNs === undefined) this.#setEpoch(record.at);
        else this.#setTime(this.#epochNs + record.monotonicNs);
        this.#writeSample(record.type, record.sample);
        return;
      case 'effect':
        this.#writeSample(record.type, record.sample);
        return;
      case 'hello':
        this.#setEpoch(record.content.clock);
        return;
      case 'dropped':
        this.#countDropped(record.content);
        return;
      case 'log':
        this.#writeMark(record.content[markField]);
        return;
      default:
    }
  }

  #writeSample(type: 'event' | 'effect', sample: TapSample | undefined): void {
    if (sample === undefined) return;
    const { topic, bytes } = sample;
    this.#write(channelTopic(type, topic), bytes);
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

  #write(topic: string, data: Uint8Array): void {
    const channel = this.#channels.get(topic);
    if (channel === undefined) throw new RangeError(`${topic} is no topic of a recording`);
    this.#file.add({
      channelId: channel.id,
      sequence: channel.messages++ % sequenceNumbers,
      logTime: this.#logTimeNs,
      publishTime: this.#logTimeNs,
      data,
    });
  }

  #framesOf(records: readonly TapRecord[]): Uint8Array {
    const w = this.#cdr.begin();
    w.octets(Buffer.concat(records.map(({ frame }) => frame)), 'data');
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
