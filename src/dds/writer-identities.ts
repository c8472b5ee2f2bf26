import { forgetOldest } from '../core/index.js';
import { unknownWriter, type WriterIdentity } from '../ports/index.js';
import type { EventBatch } from './event-batch.js';

/** More than any lab has at a time; the GUID of a writer beyond it is spelled out for each event. */
const rememberedWriters = 4096;

/** The writers that events name, by the numbers that the add-on gives them. */
export class WriterIdentities {
  readonly #known = new Map<bigint, WriterIdentity>();

  /** @param capacity writers that are remembered; the oldest are forgotten beyond it */
  constructor(private readonly capacity = rememberedWriters) {}

  /** The writer that an event of a reader names. */
  of(event: Pick<EventBatch, 'c' | 'guid' | 'reliableWriter'>): WriterIdentity {
    const number = event.c;
    if (number === 0n) return unknownWriter;
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const identity = { guid: event.guid, reliable: event.reliableWriter };
    this.#known.set(number, identity);
    forgetOldest(this.#known, this.capacity);
    return identity;
  }
}
