import type { EmergencySample, EmergencyStop } from '../../dds/index.js';
import { commandStampOffsets } from '../../messages/index.js';

/** Times that each vehicle has samples for. Where more commands wait, some in between have none. */
const mostTimes = 32;

/** What holds sooner than this is outranked by the next repetition, ns. */
const nearNs = 50_000_000n;

/** A stamp is no earlier than another one by less than this, ns. */
const negligibleNs = 1_000_000n;

/** Rows of a vehicle: one for each kind of command, and one for trajectories after a hang. */
const mostSamples = 5;

/** Number of keys of one vehicle: one for each time and row. */
export const keysAhead = mostTimes * mostSamples;

/** A sample, and the stamp before which none of its kind may hold, ns; null: it may hold at once. */
export interface SampleAhead {
  readonly sample: EmergencySample;
  readonly fromNs: bigint | null;
}

interface Time {
  readonly slot: number;
  readonly keys: Set<number>;
}

/**
 * The samples of one vehicle that hold from later times on. A vehicle may obey the command with the newest
 * valid-after stamp that has come: without these, each command that waits for its time would drive the
 * vehicle until the next repetition.
 */
export class SamplesAhead {
  readonly #emergencyStop: EmergencyStop;
  readonly #firstKey: number;
  /** By the valid-after stamp that they outrank, ns, in the order of the commands. */
  readonly #times = new Map<bigint, Time>();

  /** @param firstKey the first of {@link keysAhead} keys. */
  constructor(emergencyStop: EmergencyStop, firstKey: number) {
    this.#emergencyStop = emergencyStop;
    this.#firstKey = firstKey;
  }

  /**
   * A command went to the vehicle.
   * @param nowNs on the clock of the stamps
   * @param isRepeated the next repetition outranks the commands of its kind that hold by then
   * @returns true when there is something new to {@link cover}
   */
  commanded(validNs: bigint, nowNs: bigint, isRepeated: boolean): boolean {
    if (validNs <= nowNs + (isRepeated ? nearNs : 0n) || this.#times.has(validNs)) return false;
    this.#forget((ns) => ns <= nowNs);
    const [secondLast, last] = [...this.#times.keys()].slice(-2);
    if (secondLast !== undefined && last !== undefined) {
      const apartNs = (validNs - nowNs) / BigInt(mostTimes - 2);
      if (last - secondLast < apartNs) this.#forget((ns) => ns === last);
    }
    if (this.#times.size === mostTimes) {
      const [first] = this.#times.keys();
      this.#forget((ns) => ns === first);
    }
    const taken = new Set([...this.#times.values()].map(({ slot }) => slot));
    const slot = Array.from({ length: mostTimes }, (_, i) => i).find((i) => !taken.has(i)) ?? 0;
    this.#times.set(validNs, { slot, keys: new Set() });
    return true;
  }

  /**
   * Sets the samples for the times that have none yet, or for all.
   * @param samples those that hold from the time of their writing on, by row, 0 to 4
   * @param nowNs on the clock of the stamps
   * @param all also for times that have samples
   */
  cover(samples: ReadonlyMap<number, SampleAhead>, nowNs: bigint, all: boolean): void {
    this.#forget((ns) => ns <= nowNs);
    for (const [validNs, { slot, keys }] of this.#times) {
      if (keys.size > 0 && !all) continue;
      const former = new Set(keys);
      for (const [place, { sample, fromNs }] of samples) {
        if (fromNs !== null && validNs + negligibleNs < fromNs) continue;
        const key = this.#firstKey + slot * mostSamples + place;
        this.#emergencyStop.set(key, heldFrom(validNs + 1n, sample));
        keys.add(key);
        former.delete(key);
      }
      this.#remove(former);
      for (const key of former) keys.delete(key);
    }
  }

  #forget(isOver: (validNs: bigint) => boolean): void {
    for (const [validNs, { keys }] of this.#times) {
      if (!isOver(validNs)) continue;
      this.#times.delete(validNs);
      this.#remove(keys);
    }
  }

  #remove(keys: Iterable<number>): void {
    for (const key of keys) this.#emergencyStop.set(key, undefined);
  }
}

/** The sample, but holding from a given time on, ns. */
function heldFrom(validNs: bigint, sample: EmergencySample): EmergencySample {
  const { validAfter } = commandStampOffsets;
  const bytes = Uint8Array.from(sample.bytes);
  new DataView(bytes.buffer).setBigUint64(validAfter, validNs, true);
  return {
    ...sample,
    bytes,
    patches: sample.patches.filter(({ offset }) => offset !== validAfter),
  };
}
