import type {
  ClockReading,
  StartSentEvent,
  StartSlot,
  StartSlots,
} from '../../../src/core/index.js';
import type { TestEffect } from './support.js';

/** Writes prepared start signals in their slots, as the thread of the pacer does. */
export class SlotWriter {
  #plan = 0;
  #slots: readonly StartSlot[] = [];
  #lastIndex = -1;
  /** While it stands still, nothing goes out, as on a machine without a processor. */
  standsStill = false;

  constructor(private readonly onSent: (event: StartSentEvent) => void) {}

  /** When the next slot is due, monotonic, ns. */
  get dueAtNs(): bigint | null {
    return this.standsStill ? null : (this.#slots[0]?.notBeforeNs ?? null);
  }

  /** Takes in a plan, or that there is none any more. */
  take(effects: readonly TestEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'cancelStart') this.#slots = [];
      if (effect.kind !== 'prepareStart') continue;
      this.#plan = effect.plan;
      this.#slots = allSlots(effect.slots).filter(({ index }) => index > this.#lastIndex);
    }
  }

  /** Writes the slots that are due, each as of its own instant, and leaves out those that are over. */
  write(now: ClockReading): void {
    while (this.dueAtNs !== null && this.dueAtNs <= now.monotonicNs) {
      const [slot, ...rest] = this.#slots;
      if (slot === undefined) return;
      this.#slots = rest;
      if (now.monotonicNs > slot.notAfterNs) continue;
      const { index, tNowNs } = slot;
      this.#lastIndex = index;
      const { monotonicNs: atNs } = now;
      this.onSent({ kind: 'startSent', plan: this.#plan, index, tNowNs, now, atNs });
    }
  }
}

/** The slots of a plan, one by one. */
export function allSlots({ first, standIns, periodNs, graceNs }: StartSlots): StartSlot[] {
  return Array.from({ length: 1 + standIns }, (_, k) => {
    const laterNs = BigInt(k) * periodNs;
    return {
      index: first.index + k,
      tNowNs: first.tNowNs + laterNs,
      notBeforeNs: first.notBeforeNs + laterNs + (k === 0 ? 0n : graceNs),
      notAfterNs: first.notAfterNs + laterNs,
    };
  });
}
