import type { TransportWriter } from '../ports/index.js';
import type { EmergencySample } from './emergency-stop.js';

/** The wall clock, ns since 1970, and the steady one, ns. */
interface Clocks {
  realtimeNs(): bigint;
  monotonicNs(): bigint;
}

/** A sample, and the base of its stamps when it was written last. */
interface Kept {
  readonly key: number;
  readonly sample: EmergencySample;
  readonly bytes: Uint8Array;
  lastBaseNs: bigint;
}

/**
 * Emergency samples of writers that the add-on cannot use, for the JavaScript thread to write. A write
 * uses nothing but this list: it follows a fault.
 */
export class KeptSamples {
  /** In the order of their keys. */
  #kept: Kept[] = [];
  #simulatedNs: bigint | undefined;

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** True when a sample is among them that only the thread of the hang guard may write: it is never written. */
  get hasOfHang(): boolean {
    return this.#kept.some(({ sample }) => sample.occasion === 'afterHang');
  }

  /** Replaces the sample under this key; the stamps go on rising. */
  set(key: number, sample: EmergencySample): void {
    const at = this.#kept.findIndex((kept) => kept.key >= key);
    const before = this.#kept[at];
    const isKnown = before?.key === key;
    const lastBaseNs = isKnown ? before.lastBaseNs : 0n;
    const added = { key, sample, bytes: Uint8Array.from(sample.bytes), lastBaseNs };
    this.#kept.splice(at < 0 ? this.#kept.length : at, isKnown ? 1 : 0, added);
  }

  remove(key: number): void {
    const at = this.#kept.findIndex((kept) => kept.key === key);
    if (at >= 0) this.#kept.splice(at, 1);
  }

  /** The simulated time, ns: from now on the base of all stamps, in place of the clocks. */
  setTime(simulatedNs: bigint): void {
    this.#simulatedNs = simulatedNs;
  }

  /**
   * Writes once those that a hang needs, too, and those of `atOnce` unless `always` is true. It throws nothing.
   * @returns samples written
   */
  write(clocks: Clocks, always: boolean): number {
    let written = 0;
    for (const kept of this.#kept) {
      const { occasion = 'always', writer } = kept.sample;
      if (occasion === 'afterHang' || (always && occasion === 'atOnce')) continue;
      stamp(kept, clocks, this.#simulatedNs);
      if (isWritten(writer, kept.bytes)) written++;
    }
    return written;
  }
}

function stamp(kept: Kept, clocks: Clocks, simulatedNs: bigint | undefined): void {
  const { bytes, sample } = kept;
  const nowNs = simulatedNs ?? clocks.realtimeNs();
  let baseNs = kept.lastBaseNs + 1n;
  if (baseNs < nowNs) baseNs = nowNs;
  if (baseNs < sample.floorNs) baseNs = sample.floorNs;
  kept.lastBaseNs = baseNs;
  const view = new DataView(bytes.buffer);
  const isSimulated = simulatedNs !== undefined;
  const latestNs = isSimulated ? baseNs : clocks.monotonicNs() + (sample.clockOffsetNs ?? 0n);
  for (const { offset, deltaNs, isTime = false } of sample.patches) {
    const ns = isTime && latestNs < baseNs ? latestNs : baseNs;
    view.setBigUint64(offset, ns + deltaNs, true);
  }
}

function isWritten(writer: TransportWriter, bytes: Uint8Array): boolean {
  try {
    writer.write(bytes);
    return true;
  } catch {
    // The others are still to be written.
    return false;
  }
}
