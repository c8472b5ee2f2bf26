import { stopSymbol } from '../../core/index.js';
import type { Participant, TimeEffect } from './participants.js';

/** Real time as the lab control sees it: who signed in, and one trigger that starts all. */
export class RealTime {
  readonly #nextStartsNs = new Map<string, bigint>();

  /** A participant signed in; all but its name is without meaning in real time. */
  readySignal(sourceId: string, nextStartNs: bigint): TimeEffect[] {
    this.#nextStartsNs.set(sourceId, nextStartNs);
    return [{ kind: 'participant', participant: { sourceId, nextStartNs, state: 'ready' } }];
  }

  /**
   * Starts all that wait for it.
   * @param startNs Nanoseconds since 1970.
   * @throws RangeError when it is no time.
   */
  start(startNs: bigint): TimeEffect[] {
    if (startNs < 0n || startNs >= stopSymbol) {
      throw new RangeError(`${startNs} ns is no start time; give one from 0 to 2^64 - 2.`);
    }
    return [{ kind: 'trigger', nextStartNs: startNs }];
  }

  /** Stops all. */
  stop(): TimeEffect[] {
    return [{ kind: 'trigger', nextStartNs: stopSymbol }];
  }

  /** A participant is gone. */
  left(sourceId: string): TimeEffect[] {
    this.#nextStartsNs.delete(sourceId);
    return [{ kind: 'participant-left', sourceId, holdsTime: false }];
  }

  participants(): Participant[] {
    return Array.from(this.#nextStartsNs, ([sourceId, nextStartNs]) => ({
      sourceId,
      nextStartNs,
      state: 'ready',
    }));
  }
}
