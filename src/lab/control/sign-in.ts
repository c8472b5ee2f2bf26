import { participantOf } from '../../core/ports/index.js';

/** How long a ready signal is held back for the sender's reader to be discovered, ns. */
const longestHoldNs = 1_000_000_000n;

/** What a {@link SignInGate} needs and tells. */
export interface SignInPort {
  /** The DDS participants (GUID prefixes) that have a matched reader for system triggers. */
  listeningParticipants(): ReadonlySet<string>;
  later(delayNs: bigint, callback: () => void): () => void;
  readySignal(sourceId: string, nextStartNs: bigint): void;
  /** The sender's reader stayed unknown; its ready signals are passed on from now on. */
  notListening(sourceId: string): void;
}

interface HeldSignal {
  readonly sourceId: string;
  readonly nextStartNs: bigint;
  readonly dds: string;
  readonly cancel: () => void;
}

/**
 * Passes a ready signal on once its sender hears system triggers: DDS discovers writers and readers
 * one by one, and a trigger written before the sender's reader is known would miss it.
 */
export class SignInGate {
  readonly #held = new Set<HeldSignal>();
  /** DDS participants whose ready signals are no longer held. */
  readonly #notListening = new Set<string>();

  constructor(private readonly port: SignInPort) {}

  readySignal(sourceId: string, nextStartNs: bigint, writerGuid: string): void {
    const dds = participantOf(writerGuid);
    if (this.#notListening.has(dds) || this.port.listeningParticipants().has(dds)) {
      this.port.readySignal(sourceId, nextStartNs);
      return;
    }
    const cancel = this.port.later(longestHoldNs, () => {
      this.#held.delete(held);
      this.#notListening.add(dds);
      this.port.notListening(sourceId);
      this.port.readySignal(sourceId, nextStartNs);
    });
    const held = { sourceId, nextStartNs, dds, cancel };
    this.#held.add(held);
  }

  /** The matched readers for system triggers changed. */
  readersChanged(): void {
    if (this.#held.size === 0) return;
    const listening = this.port.listeningParticipants();
    for (const held of this.#held) {
      if (!listening.has(held.dds)) continue;
      held.cancel();
      this.#held.delete(held);
      this.port.readySignal(held.sourceId, held.nextStartNs);
    }
  }
}
