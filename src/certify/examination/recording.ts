import type { Transcript, TranscriptEvent } from '../judging/index.js';
import type { Clocks } from '../../dds/index.js';

type WithoutTime<E> = E extends unknown ? Omit<E, 'atNs'> : never;

/** Keeps events in the order in which they are added. */
export class Recording {
  readonly #events: TranscriptEvent[] = [];

  constructor(private readonly clocks: Clocks) {}

  get events(): readonly TranscriptEvent[] {
    return this.#events;
  }

  /** @param atNs Monotonic clock; default: now. */
  add(event: WithoutTime<TranscriptEvent>, atNs: bigint = this.clocks.monotonicNs()): void {
    // An event and its time are an event with a time; the compiler cannot see that of a union.
    this.#events.push({ ...event, atNs });
  }

  transcript(vehicleIds: readonly number[], periodNs: bigint): Transcript {
    return { vehicleIds, periodNs, events: this.#events };
  }
}
