import type { ClockReading } from '../core/index.js';
import { commandTopics } from '../sides/index.js';
import { ByteWriter } from './byte-writer.js';
import { effectFields } from './effect-fields.js';
import { clockReading, eventFields } from './event-fields.js';
import { boolean, bytes, type Field } from './fields.js';
import {
  effectKinds,
  eventKinds,
  frameTypes,
  headerBytes,
  sampleTopics,
  type FrameType,
  type PlainType,
} from './frame-layout.js';
import type { ObservedEffect, ObservedEvent, Performed } from './observed.js';
import { toPlainText } from './plain-text.js';
import { priorityOf, type Priority } from './priorities.js';

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
  plain(type: PlainType, content: unknown, priority: Priority): void {
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
