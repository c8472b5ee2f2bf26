import { commandTopics } from '../sides/index.js';
import { TapFormatError } from './byte-reader.js';
import { effectFields, type RecordedEffect } from './effect-fields.js';
import { eventFields } from './event-fields.js';
import type { ObservedEvent } from './observed.js';

/**
 * A frame: the number of bytes after the header (u32), its type (u8), the kind of its event or effect
 * (u8), its priority (u8) and the topic of its sample (u8).
 */
export const headerBytes = 8;

/** Where type, kind, priority and topic stand in a header; together one little-endian number. */
export const typeOffset = 4;
export const kindOffset = 5;
export const priorityOffset = 6;
export const topicOffset = 7;

/** Bytes of an event before its members: header, number, both clocks. */
export const eventHead = headerBytes + 8 + 16;

/** Bytes of an effect before its sample: header, number, `written`, `latenessNs`, size of the sample. */
export const effectHead = headerBytes + 8 + 1 + 8 + 4;

/** No frame has more bytes after its header: the longest start signal has 255 vehicles. */
export const mostBodyBytes = 4 * 1024 * 1024;

/** What a reader sends that must have everything, as its only byte. */
export const needsAll = 1;

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
  'remoteAgents',
] as const;
export type FrameType = (typeof frameTypes)[number];
/** Frames of plain data. */
export type PlainType = Exclude<FrameType, 'event' | 'effect'>;

/** The topics of samples, in the order of their numbers; the first is no topic. */
export const sampleTopics = [
  '',
  'vehicleState',
  'vehicleObservation',
  'vehicleStateList',
  ...Object.values(commandTopics).map((topic) => topic.name),
] as const;
export type SampleTopic = Exclude<(typeof sampleTopics)[number], ''>;

/** The kinds of events and effects, in the order of their numbers. */
export const eventKinds = Object.keys(eventFields) as ObservedEvent['kind'][];
export const effectKinds = Object.keys(effectFields) as RecordedEffect['kind'][];

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

/** The kind, type or topic of this number. @throws TapFormatError when there is none. */
export function known<T>(kinds: readonly T[], number: number): T {
  const kind = kinds[number];
  if (kind === undefined)
    throw new TapFormatError(`no kind, type or topic has the number ${number}`);
  return kind;
}

/** Whether an event and an effect at these places have the same number. */
export function haveSameNumber(
  event: Buffer,
  eventAt: number,
  effect: Buffer,
  effectAt: number,
): boolean {
  const from = effectAt + headerBytes;
  const eventFrom = eventAt + headerBytes;
  return event.compare(effect, from, from + 8, eventFrom, eventFrom + 8) === 0;
}
