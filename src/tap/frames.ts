import type { ClockReading } from '../core/index.js';
import { commandTopics } from '../sides/index.js';
import { ByteReader, TapFormatError } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { effectFields, effectOf, type RecordedEffect } from './effect-fields.js';
import { clockReading, eventFields } from './event-fields.js';
import { boolean, bytes, int64, uint64, type Field } from './fields.js';
import type { ObservedEffect, ObservedEvent, Performed } from './observed.js';
import { fromPlainText, toPlainText } from './plain-text.js';
import { priorityOf, type Priority } from './priorities.js';

/**
 * A frame: the number of bytes after the header (u32), its type (u8), the kind of its event or effect
 * (u8), its priority (u8) and the topic of its sample (u8).
 */
export const headerBytes = 8;

/** Where type, kind, priority and topic stand in a header, as one little-endian number. */
export const typeOffset = 4;
export const priorityOffset = 6;

/** No frame has more bytes after its header: the longest start signal has 255 vehicles. */
export const mostBodyBytes = 4 * 1024 * 1024;

/** The types of frames, in the order of their numbers. A new type is added at the end. */
export const frameTypes = [
  'hello',
  'session',
  'event',
  'effect',
  'dropped',
  'summary',
  'log',
  'stalled',
  'end',
] as const;
export type FrameType = (typeof frameTypes)[number];

/** The topics of samples, in the order of their numbers; the first is no topic. */
export const sampleTopics = [
  '',
  'vehicleState',
  'vehicleObservation',
  'vehicleStateList',
  ...Object.values(commandTopics).map((topic) => topic.name),
] as const;
export type SampleTopic = Exclude<(typeof sampleTopics)[number], ''>;

/** A sample that was received or sent. */
export interface TapSample {
  readonly topic: SampleTopic;
  /** CDR. */
  readonly bytes: Uint8Array;
}

/** An event that the session took in. */
export interface EventRecord {
  readonly type: 'event';
  /** Counts the events of a session from 0; a gap is followed by a record of what was dropped. */
  readonly number: bigint;
  /** When its effects were performed. */
  readonly at: ClockReading;
  readonly event: ObservedEvent;
  /** Received; of a start signal: sent. */
  readonly sample?: TapSample;
}

/** What followed the event before it. */
export interface EffectRecord {
  readonly type: 'effect';
  /** Of its event. */
  readonly number: bigint;
  readonly effect: RecordedEffect;
  readonly performed: Performed;
  /** The members as they were recorded, to be compared with those of `encodeMembers`. */
  readonly members: Uint8Array;
  /** What was sent. */
  readonly sample?: TapSample;
}

/** Any other record, as plain data; see `TapRecord`. */
export interface PlainRecord {
  readonly type: Exclude<FrameType, 'event' | 'effect'>;
  readonly content: unknown;
}

export type FrameRecord = EventRecord | EffectRecord | PlainRecord;

const eventKinds = Object.keys(eventFields) as ObservedEvent['kind'][];
const effectKinds = Object.keys(effectFields) as RecordedEffect['kind'][];
const numbersOf = (names: readonly string[]) => new Map(names.map((each, i) => [each, i]));
const eventNumbers = numbersOf(eventKinds);
const effectNumbers = numbersOf(effectKinds);
const typeNumbers = numbersOf(frameTypes);
const topicNumbers = numbersOf(sampleTopics);
const noBytes = new Uint8Array();

/** Writes frames one after the other. */
export class FrameWriter {
  readonly #writer = new ByteWriter();

  /** Bytes since the last {@link take}. */
  get length(): number {
    return this.#writer.length;
  }

  /** The frames since the last call. */
  take(): Buffer {
    return this.#writer.take();
  }

  /** An event and its effects, in their order; they share the priority of the highest of them. */
  step(
    number: bigint,
    at: ClockReading,
    event: ObservedEvent,
    effects: readonly { readonly effect: ObservedEffect; readonly performed: Performed }[],
  ): void {
    const w = this.#writer;
    const priority = priorityOf(event, effects);
    const begun = this.#begin('event', eventNumbers, event.kind, priority, receivedTopic(event));
    w.int64(number);
    clockReading.write(w, at);
    (eventFields[event.kind] as Field<ObservedEvent>).write(w, event);
    this.#end(begun);
    for (const { effect, performed } of effects) {
      const topic = sentTopic(effect, performed);
      const from = this.#begin('effect', effectNumbers, effect.kind, priority, topic);
      w.int64(number);
      boolean.write(w, performed.written);
      w.int64(performed.latenessNs);
      bytes.write(w, performed.sample ?? noBytes);
      (effectFields[effect.kind] as Field<object>).write(w, effect);
      this.#end(from);
    }
  }

  /** A frame of plain data. */
  plain(type: PlainRecord['type'], content: unknown, priority: Priority): void {
    const begun = this.#begin(type, typeNumbers, type, priority, '');
    this.#writer.text(toPlainText(content));
    this.#end(begun);
  }

  #begin(
    type: FrameType,
    kinds: ReadonlyMap<string, number>,
    kind: string,
    priority: Priority,
    topic: string,
  ): number {
    const w = this.#writer;
    const begun = w.length;
    w.uint32(0);
    w.uint8(typeNumbers.get(type) ?? 0);
    w.uint8(kinds.get(kind) ?? 0);
    w.uint8(priority);
    w.uint8(topicNumbers.get(topic) ?? 0);
    return begun;
  }

  #end(begun: number): void {
    this.#writer.setUint32(begun, this.#writer.length - begun - headerBytes);
  }
}

/** The topic of the sample that an event carries; empty when it has none. */
function receivedTopic(event: ObservedEvent): string {
  switch (event.kind) {
    case 'vehicleState':
    case 'vehicleObservation':
      return event.kind;
    case 'startSent':
      return event.bytes.length > 0 ? 'vehicleStateList' : '';
    case 'command':
      return commandTopics[event.command.kind].name;
    default:
      return '';
  }
}

/** The topic of the sample that an effect sent; empty when it sent none. */
function sentTopic(effect: ObservedEffect, { written, sample }: Performed): string {
  if (!written) return '';
  switch (effect.kind) {
    case 'sendStartSignal':
      return sample === undefined ? '' : 'vehicleStateList';
    case 'forwardCommand':
    case 'commandVehicle':
      return commandTopics[effect.command.kind].name;
    default:
      return '';
  }
}

/**
 * The members of an effect as a frame has them: two effects are the same exactly when these are. Of a
 * start signal they lack the payloads, which are in its sample.
 */
export function encodeMembers(effect: ObservedEffect): Uint8Array {
  const w = new ByteWriter();
  (effectFields[effect.kind] as Field<object>).write(w, effect);
  return w.take();
}

/** Reads frames in the order in which they were written; effects need the event before them. */
export class FrameReader {
  #event: EventRecord | undefined;

  /**
   * @param frame with its header; what is read are views of it.
   * @throws TapFormatError when the bytes are no frame, or an effect does not follow its event.
   */
  read(frame: Uint8Array): FrameRecord {
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
    if (type === 'event') return this.#readEvent(r, kind, topic);
    if (type === 'effect') return this.#readEffect(r, kind, topic);
    return { type, content: fromPlainText(r.text(r.left)) };
  }

  #readEvent(r: ByteReader, kindNumber: number, topic: SampleTopic | ''): EventRecord {
    const number = uint64.read(r);
    const at = clockReading.read(r);
    const event = (eventFields[known(eventKinds, kindNumber)] as Field<ObservedEvent>).read(r);
    r.end();
    const sample = topic === '' ? undefined : sampleOfEvent(event, topic);
    this.#event = { type: 'event', number, at, event, ...(sample && { sample }) };
    return this.#event;
  }

  #readEffect(r: ByteReader, kindNumber: number, topic: SampleTopic | ''): EffectRecord {
    const kind = known(effectKinds, kindNumber);
    const number = uint64.read(r);
    const event = this.#event;
    if (event?.number !== number) throw new TapFormatError('an effect does not follow its event');
    const written = boolean.read(r);
    const latenessNs = int64.read(r);
    const sent = bytes.read(r);
    const members = r.bytes(r.left);
    const fields = new ByteReader(members);
    const command = event.event.kind === 'command' ? event.event.command : undefined;
    const effect = effectOf(kind, (effectFields[kind] as Field<object>).read(fields), command);
    fields.end();
    const performed = { written, latenessNs, ...(sent.length > 0 && { sample: sent }) };
    const sample = topic === '' ? undefined : sampleOfEffect(effect, sent, topic);
    return { type: 'effect', number, effect, performed, members, ...(sample && { sample }) };
  }
}

/**
 * What a frame is.
 * @param description the last four bytes of its header, as a little-endian number.
 */
export function describeFrame(description: number): {
  readonly type: FrameType;
  readonly kind: string;
  readonly topic: SampleTopic | '';
} {
  const type = frameTypes[description & 0xff] ?? 'log';
  const kind = (description >>> 8) & 0xff;
  const kinds = type === 'event' ? eventKinds : type === 'effect' ? effectKinds : [];
  return { type, kind: kinds[kind] ?? '', topic: sampleTopics[description >>> 24] ?? '' };
}

function known<T>(kinds: readonly T[], number: number): T {
  const kind = kinds[number];
  if (kind === undefined) throw new TapFormatError(`no kind has the number ${number}`);
  return kind;
}

function sampleOfEvent(event: ObservedEvent, topic: SampleTopic): TapSample {
  if (event.kind === 'command') return { topic, bytes: event.command.bytes };
  if ('bytes' in event) return { topic, bytes: event.bytes };
  throw new TapFormatError(`an event ${event.kind} has no sample`);
}

function sampleOfEffect(effect: RecordedEffect, sent: Uint8Array, topic: SampleTopic): TapSample {
  switch (effect.kind) {
    case 'sendStartSignal':
      return { topic, bytes: sent };
    case 'forwardCommand':
      return { topic, bytes: effect.command.bytes };
    case 'commandVehicle':
      return { topic, bytes: (effect.command as { readonly bytes?: Uint8Array }).bytes ?? sent };
    default:
      throw new TapFormatError(`an effect ${effect.kind} has no sample`);
  }
}
