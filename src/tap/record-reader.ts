import type { ClockReading } from '../core/index.js';
import { ByteReader, TapFormatError } from './byte-reader.js';
import { checkContent, tapVersion, type ContentRecord } from './contents.js';
import { effectFields, effectOf, type RecordedEffect } from './effect-fields.js';
import { eventFields } from './event-fields.js';
import { boolean, bytes, int64, type Field } from './fields.js';
import {
  effectHead,
  effectKinds,
  eventHead,
  eventKinds,
  frameTypes,
  haveSameNumber,
  headerBytes,
  known,
  kindOffset,
  sampleTopics,
  topicOffset,
  typeOffset,
  type PlainType,
  type SampleTopic,
} from './frame-layout.js';
import type { ObservedEvent, Performed } from './observed.js';
import { fromPlainText } from './plain-text.js';
import { effectSampleAt, eventSampleAt, sampleEnd, sampleStart } from './sample-place.js';

/** A sample that was received or sent. */
export interface TapSample {
  readonly topic: SampleTopic;
  /** CDR. */
  readonly bytes: Uint8Array;
}

const effectType = frameTypes.indexOf('effect');

/** Bytes of the encapsulation header of a sample, after which its vehicle id stands. */
const encapsulationBytes = 4;

/** An event that the session took in. What it has is decoded when it is asked for. */
export class EventRecord {
  readonly type = 'event';
  #event: ObservedEvent | undefined;

  /**
   * @param frame with its header, 32 bytes or more; the bytes of the event are views of it.
   * @param topic of its sample.
   */
  constructor(
    readonly frame: Buffer,
    readonly kind: ObservedEvent['kind'],
    private readonly topic: SampleTopic | '',
  ) {}

  /** Counts the events of a session from 0. */
  get number(): bigint {
    return this.frame.readBigUInt64LE(headerBytes);
  }

  /** When its effects were performed, on the clock that never steps. */
  get monotonicNs(): bigint {
    return this.frame.readBigInt64LE(headerBytes + 8);
  }

  /** When its effects were performed. */
  get at(): ClockReading {
    return {
      monotonicNs: this.monotonicNs,
      realtimeNs: this.frame.readBigInt64LE(headerBytes + 16),
    };
  }

  /** @throws TapFormatError when the frame has no such event. */
  get event(): ObservedEvent {
    if (this.#event === undefined) {
      const r = new ByteReader(this.frame);
      r.skip(eventHead);
      this.#event = (eventFields[this.kind] as Field<ObservedEvent>).read(r);
      r.end();
    }
    return this.#event;
  }

  /** The vehicle of a command, a state or an observation, without decoding more than that. */
  get vehicleId(): number {
    const id = this.#sampleBytes()?.[encapsulationBytes];
    if (id === undefined) throw new TapFormatError(`an event ${this.kind} has no vehicle`);
    return id;
  }

  /**
   * Received; of a start signal: sent. Undefined when the event has none.
   * @throws TapFormatError when the frame has no such sample.
   */
  get sample(): TapSample | undefined {
    const { topic } = this;
    if (topic === '') return undefined;
    const bytes = this.#sampleBytes();
    if (bytes === undefined) throw new TapFormatError(`an event ${this.kind} has no sample`);
    return { topic, bytes };
  }

  #sampleBytes(): Uint8Array | undefined {
    const { frame } = this;
    const at = eventSampleAt(this.kind, frame, 0, frame.length);
    return at < 0 ? undefined : frame.subarray(sampleStart(at), sampleEnd(frame, at, frame.length));
  }
}

/** What followed the event before it. What it has is decoded when it is asked for. */
export class EffectRecord {
  readonly type = 'effect';
  #effect: RecordedEffect | undefined;

  /**
   * @param frame with its header, with all bytes of its sample; the bytes of the effect are views of it.
   * @param topic of its sample.
   */
  constructor(
    readonly frame: Buffer,
    readonly kind: RecordedEffect['kind'],
    readonly cause: EventRecord,
    private readonly topic: SampleTopic | '',
  ) {}

  /** Of its event. */
  get number(): bigint {
    return this.cause.number;
  }

  get performed(): Performed {
    const r = new ByteReader(this.frame);
    r.skip(headerBytes + 8);
    const written = boolean.read(r);
    const latenessNs = int64.read(r);
    const sent = bytes.read(r);
    return { written, latenessNs, ...(sent.length > 0 && { sample: sent }) };
  }

  /** As they were recorded, to be compared with those of `encodeMembers`. */
  get members(): Uint8Array {
    return this.frame.subarray(effectHead + this.frame.readUInt32LE(effectHead - 4));
  }

  /** @throws TapFormatError when the frame has no such effect. */
  get effect(): RecordedEffect {
    if (this.#effect === undefined) {
      const r = new ByteReader(this.members);
      const members = (effectFields[this.kind] as Field<object>).read(r);
      r.end();
      this.#effect = effectOf(this.kind, members, () => {
        const { event } = this.cause;
        return event.kind === 'command' ? event.command : undefined;
      });
    }
    return this.#effect;
  }

  /**
   * What was sent; undefined when the effect sent nothing.
   * @throws TapFormatError as `effect`.
   */
  get sample(): TapSample | undefined {
    const { topic } = this;
    if (topic === '') return undefined;
    const { frame, kind, cause } = this;
    const forwarded = kind === 'forwardCommand' ? cause.sample : undefined;
    if (forwarded !== undefined) return { topic, bytes: forwarded.bytes };
    const at = effectSampleAt(kind, frame, 0, frame.length);
    if (at < 0) throw new TapFormatError(`an effect ${kind} has no sample`);
    return { topic, bytes: frame.subarray(sampleStart(at), sampleEnd(frame, at, frame.length)) };
  }
}

/** One record of the tap, and its frame as it came. */
export type TapRecord =
  EventRecord | EffectRecord | (ContentRecord & { readonly frame: Uint8Array });

/** Reads the frames of one stream in their order. */
export class RecordReader {
  #event: EventRecord | undefined;

  /** True for an effect whose event is missing: the part of a recording that had it is broken. */
  isOrphan(frame: Buffer): boolean {
    if (frame[typeOffset] !== effectType || frame.length < effectHead) return false;
    return this.#event === undefined || !haveSameNumber(this.#event.frame, 0, frame, 0);
  }

  /**
   * @param frame with its header.
   * @throws TapFormatError when it is no frame of this version, or an effect does not follow its event.
   */
  read(frame: Buffer): TapRecord {
    const size = frame.length - headerBytes;
    if (size < 0 || size !== frame.readUInt32LE(0)) {
      throw new TapFormatError(`a frame has ${size} bytes after its header`);
    }
    const type = frameTypes[frame[typeOffset] ?? 0];
    const kind = frame[kindOffset] ?? 0;
    const topic = sampleTopics[frame[topicOffset] ?? 0];
    if (type === undefined || topic === undefined) {
      throw new TapFormatError('a frame has an unknown type or topic');
    }
    if (type === 'event') return this.#readEvent(frame, known(eventKinds, kind), topic);
    if (type === 'effect') return this.#readEffect(frame, known(effectKinds, kind), topic);
    const text = new ByteReader(frame.subarray(headerBytes)).text(size);
    const content = fromPlainText(text);
    if (type === 'hello') checkVersion(content);
    return { ...checkContent({ type, content }), frame };
  }

  #readEvent(frame: Buffer, kind: ObservedEvent['kind'], topic: SampleTopic | ''): EventRecord {
    if (frame.length < eventHead) throw new TapFormatError('an event is cut');
    this.#event = new EventRecord(frame, kind, topic);
    return this.#event;
  }

  #readEffect(frame: Buffer, kind: RecordedEffect['kind'], topic: SampleTopic | ''): EffectRecord {
    const sampleSize = frame.length < effectHead ? Infinity : frame.readUInt32LE(effectHead - 4);
    if (effectHead + sampleSize > frame.length) throw new TapFormatError('an effect is cut');
    const event = this.#event;
    if (event === undefined || this.isOrphan(frame)) {
      throw new TapFormatError('an effect does not follow its event');
    }
    return new EffectRecord(frame, kind, event, topic);
  }
}

/** Frames of another version look different: a recording may have them. */
function checkVersion(content: unknown): void {
  const { version } = (content ?? {}) as { version?: unknown };
  if (typeof version !== 'number' || version === tapVersion) return;
  throw new TapFormatError(
    `it is of version ${version} of the tap, and this program reads version ${tapVersion}`,
  );
}

/** Type and content of a frame of plain data that may be of another version; undefined for others. */
export function readPlain(
  frame: Uint8Array,
): { readonly type: PlainType; readonly content: unknown } | undefined {
  const r = new ByteReader(frame);
  r.uint32();
  const type = frameTypes[r.uint8()];
  r.bytes(3);
  if (type === undefined || type === 'event' || type === 'effect') return undefined;
  return { type, content: fromPlainText(r.text(r.left)) };
}
