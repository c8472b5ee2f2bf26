import { forgetOldest, type PrepareStart, type StartSlot } from '../../core/index.js';
import type { TransportWriter } from '../../ports/index.js';
import type { Clocks, SentSlot, TimedWriter } from '../../dds/index.js';
import { startSignalTimeOffset, type NestedSample } from '../../messages/index.js';
import { readClocks } from './read-clocks.js';
import { startSignalSample } from './start-signal.js';

export interface StartWriterOptions {
  readonly timedWriter: TimedWriter;
  /** Of the start signals. */
  readonly writer: TransportWriter;
  readonly clocks: Clocks;
  readonly absentVehicles: 'omit' | 'default';
  /**
   * Called for every start signal that went out, in its place among all other events.
   * @param sample as sent; valid during the call.
   */
  readonly onSent: (sent: SentSlot, sample: Uint8Array) => void;
  /** Does a write; false when it failed. */
  readonly attempt: (write: () => void) => boolean;
}

/** A start signal that this thread writes. */
interface OwnStart {
  readonly plan: number;
  readonly sample: Uint8Array;
  readonly slot: StartSlot;
}

/** Plans whose samples are kept: a slot of the last but one may be reported after the next plan. */
const keptPlans = 3;

/**
 * Writes start signals in their slots. The pacer's thread does that, so neither a collection of
 * garbage nor foreign work delays a period; where the transport allows no other thread to write,
 * this thread writes the first slot when it is woken for it.
 */
export class StartWriter {
  readonly #options: StartWriterOptions;
  #own: OwnStart | null = null;
  /** What was prepared, by plan; the times in it are those of the slots before they are written. */
  readonly #samples = new Map<number, Uint8Array>();
  /** The pacer may have written for a session before this one: its slots go on rising. */
  readonly #firstIndex: number;
  #seenIndex = -1;

  constructor(options: StartWriterOptions) {
    this.#options = options;
    const { timedWriter } = options;
    this.#firstIndex = Math.max(0, timedWriter.lastIndex() + 1);
    timedWriter.onSent((sent) => {
      const index = sent.index - this.#firstIndex;
      if (index >= 0) this.#sent({ ...sent, index });
    });
  }

  /** When {@link writeDue} is to be called, monotonic, ns; null while nothing is to be written here. */
  get wakeAtNs(): bigint | null {
    return this.#own?.slot.notBeforeNs ?? null;
  }

  /** True while a start signal went out of which `onSent` does not know yet. */
  get isAhead(): boolean {
    return this.#options.timedWriter.lastIndex() - this.#firstIndex > this.#seenIndex;
  }

  /** Replaces what was prepared before. */
  prepare(start: PrepareStart<NestedSample, NestedSample>): void {
    const { timedWriter, writer, absentVehicles } = this.#options;
    const bytes = this.#keep(start.plan, startSignalSample(start, absentVehicles));
    const { plan, slots } = start;
    const { first, standIns, periodNs, graceNs } = slots;
    const { index, tNowNs: value, notBeforeNs, notAfterNs } = first;
    const patchOffset = startSignalTimeOffset;
    const slot = { index: this.#firstIndex + index, notBeforeNs, notAfterNs, value };
    const repeats = { count: standIns, everyNs: periodNs, delayNs: graceNs };
    if (timedWriter.schedule({ plan, writer, bytes, patchOffset, slot, repeats })) return;
    this.#own = { plan, sample: bytes, slot: first };
    this.writeDue(this.#options.clocks.monotonicNs());
  }

  /** Nothing goes out until the next {@link prepare}. */
  cancel(): void {
    this.#own = null;
    this.#options.timedWriter.cancel();
  }

  /** Writes what this thread is to write and what is due. */
  writeDue(nowNs: bigint): void {
    const own = this.#own;
    if (own === null || nowNs < own.slot.notBeforeNs) return;
    this.#own = null;
    if (nowNs > own.slot.notAfterNs) return;
    const { writer, clocks, attempt } = this.#options;
    const now = readClocks(clocks);
    const { index, tNowNs: value } = own.slot;
    if (attempt(() => writer.write(own.sample)))
      this.#sent({ plan: own.plan, index, value, ...now });
  }

  #sent(sent: SentSlot): void {
    this.#seenIndex = sent.index;
    this.#options.onSent(sent, this.#sentSample(sent));
  }

  #keep(plan: number, shared: Uint8Array): Uint8Array {
    // Not slice, which shares the memory when the sample is a Buffer.
    const sample = new Uint8Array(shared);
    this.#samples.set(plan, sample);
    forgetOldest(this.#samples, keptPlans);
    return sample;
  }

  /** What was written: the sample of the plan with the time of the slot, as the pacer patches it. */
  #sentSample({ plan, value }: SentSlot): Uint8Array {
    const sample = this.#samples.get(plan);
    if (sample === undefined) return noSample;
    const view = new DataView(sample.buffer, sample.byteOffset);
    view.setBigUint64(startSignalTimeOffset, value, true);
    return sample;
  }
}

const noSample = new Uint8Array();
