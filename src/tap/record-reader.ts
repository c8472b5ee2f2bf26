import type { ClockReading } from '../core/index.js';
import { ByteReader, TapFormatError } from './byte-reader.js';
import { checkContent, type ContentRecord } from './contents.js';
import { effectFields, effectOf, type RecordedEffect } from './effect-fields.js';
import { clockReading, eventFields, receivedBytes, vehicleIdOf } from './event-fields.js';
import { boolean, bytes, int64, uint64, type Field } from './fields.js';
import {
  effectKinds,
  eventKinds,
  frameTypes,
  sampleTopics,
  type PlainType,
  type SampleTopic,
} from './frame-layout.js';
import type { ObservedEvent, Performed } from './observed.js';
import { fromPlainText } from './plain-text.js';

/** A sample that was received or sent. */
export interface TapSample {
  readonly topic: SampleTopic;
  /** CDR. */
  readonly bytes: Uint8Array;
}

/** An event that the session took in. Its members are decoded when they are asked for. */
export class EventRecord {
  readonly type = 'event';
  #event: ObservedEvent | undefined;

  /**
   * @param frame with its header; the bytes of the event are views of it.
   * @param number counts the events of a session from 0.
   * @param at when its effects were performed.
   */
  constructor(
    readonly frame: Uint8Array,
    readonly kind: ObservedEvent['kind'],
    readonly number: bigint,
    readonly at: ClockReading,
    private readonly topic: SampleTopic | '',
    private readonly members: Uint8Array,
  ) {}

  /** @throws TapFormatError when the frame has no such event. */
  get event(): ObservedEvent {
    if (this.#event === undefined) {
      const r = new ByteReader(this.members);
      this.#event = (eventFields[this.kind] as Field<ObservedEvent>).read(r);
      r.end();
    }
    return this.#event;
  }

  /** The vehicle of a command, a state or an observation, without decoding more than that. */
  get vehicleId(): number {
    return vehicleIdOf(this.kind, this.members);
  }

  /**
   * Received; of a start signal: sent. Undefined when the event has none.
   * @throws TapFormatError as `event`.
   */
  get sample(): TapSample | undefined {
    const { topic } = this;
    if (topic === '') return undefined;
    const received = receivedBytes(this.kind, this.members);
    if (received !== undefined) return { topic, bytes: received };
    const { event } = this;
    if ('bytes' in event) return { topic, bytes: event.bytes };
    throw new TapFormatError(`an event ${event.kind} has no sample`);
  }
}

/** What followed the event before it. Its members are decoded when they are asked for. */
export class EffectRecord {
  readonly type = 'effect';
  #effect: RecordedEffect | undefined;

  /**
   * @param frame with its header; the bytes of the effect are views of it.
   * @param members as they were recorded, to be compared with those of `encodeMembers`.
   */
  constructor(
    readonly frame: Uint8Array,
    readonly kind: RecordedEffect['kind'],
    readonly cause: EventRecord,
    readonly performed: Performed,
    private readonly topic: SampleTopic | '',
    readonly members: Uint8Array,
  ) {}

  /** Of its event. */
  get number(): bigint {
    return this.cause.number;
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
    const { topic, performed } = this;
    if (topic === '') return undefined;
    const forwarded = this.kind === 'forwardCommand' ? this.cause.sample : undefined;
    if (forwarded !== undefined) return { topic, bytes: forwarded.bytes };
    const { effect } = this;
    const sent = performed.sample ?? new Uint8Array();
    switch (effect.kind) {
      case 'sendStartSignal':
        return { topic, bytes: sent };
      case 'commandVehicle':
        return { topic, bytes: (effect.command as { readonly bytes?: Uint8Array }).bytes ?? sent };
      default:
        throw new TapFormatError(`an effect ${effect.kind} has no sample`);
    }
  }
}

/** One record of the tap, and its frame as it came. */
export type TapRecord =
  EventRecord | EffectRecord | (ContentRecord & { readonly frame: Uint8Array });

/** Reads the frames of one stream in their order. */
export class RecordReader {
  #event: EventRecord | undefined;

  /**
   * @param frame with its header.
   * @throws TapFormatError when it is no frame of this version, or an effect does not follow its event.
   */
  read(frame: Uint8Array): TapRecord {
    const r = new ByteReader(frame);
    const size = r.uint32();
    const type = frameTypes[r.uint8()];
    const kind = r.uint8();
    r.uint8();
    const topic = sampleTopics[r.uint8()];
    if (size !== r.left) throw new TapFormatError(`a frame has ${r.left} bytes instead of ${size}`);
    if (type === undefined || topic === undefined) {
      throw new TapFormatError('a frame has an unknown type or topic');
    }
    if (type === 'event') return this.#readEvent(frame, r, known(eventKinds, kind), topic);
    if (type === 'effect') return this.#readEffect(frame, r, known(effectKinds, kind), topic);
    return { ...checkContent({ type, content: fromPlainText(r.text(r.left)) }), frame };
  }

  #readEvent(
    frame: Uint8Array,
    r: ByteReader,
    kind: ObservedEvent['kind'],
    topic: SampleTopic | '',
  ): EventRecord {
    const number = uint64.read(r);
    const at = clockReading.read(r);
    this.#event = new EventRecord(frame, kind, number, at, topic, r.bytes(r.left));
    return this.#event;
  }

  #readEffect(
    frame: Uint8Array,
    r: ByteReader,
    kind: RecordedEffect['kind'],
    topic: SampleTopic | '',
  ): EffectRecord {
    const number = uint64.read(r);
    const event = this.#event;
    if (event?.number !== number) throw new TapFormatError('an effect does not follow its event');
    const written = boolean.read(r);
    const latenessNs = int64.read(r);
    const sent = bytes.read(r);
    const performed = { written, latenessNs, ...(sent.length > 0 && { sample: sent }) };
    return new EffectRecord(frame, kind, event, performed, topic, r.bytes(r.left));
  }
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

function known<T>(kinds: readonly T[], number: number): T {
  const kind = kinds[number];
  if (kind === undefined) throw new TapFormatError(`no kind has the number ${number}`);
  return kind;
}
