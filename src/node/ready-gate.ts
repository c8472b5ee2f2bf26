import { participantOf } from '../core/index.js';

/** How long a ready signal is held back for the sender's reader to be discovered. */
const longestHoldMs = 1000;
/** Signals held back at the same time; more than there are controllers. */
const mostHeld = 1024;

interface ReadyGateEvents {
  readySignal(sourceId: string, writerGuid: string): void;
  deaf(sourceId: string): void;
}

interface HeldSignal {
  readonly sourceId: string;
  readonly writerGuid: string;
  readonly participant: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Passes a ready signal on once its sender has a matched reader for start signals. DDS discovers
 * writers and readers one by one, so a ready signal can arrive before the sender's reader is
 * known, and a start signal written then would miss it. A sender whose reader stays unknown is
 * passed on after a second, and told: its reader may belong to another participant.
 */
export class ReadyGate {
  readonly #held = new Set<HeldSignal>();

  constructor(
    private readonly listeningParticipants: () => ReadonlySet<string>,
    private readonly events: ReadyGateEvents,
  ) {}

  readySignal(sourceId: string, writerGuid: string): void {
    const participant = participantOf(writerGuid);
    if (this.#held.size >= mostHeld || this.listeningParticipants().has(participant)) {
      this.events.readySignal(sourceId, writerGuid);
      return;
    }
    const held: HeldSignal = {
      sourceId,
      writerGuid,
      participant,
      timer: setTimeout(() => {
        this.#held.delete(held);
        this.events.deaf(sourceId);
        this.events.readySignal(sourceId, writerGuid);
      }, longestHoldMs),
    };
    this.#held.add(held);
  }

  /** A writer of ready signals is gone: what it said is worth nothing any more. */
  writerGone(writerGuid: string): void {
    for (const held of this.#held) {
      if (held.writerGuid !== writerGuid) continue;
      clearTimeout(held.timer);
      this.#held.delete(held);
    }
  }

  /** The matched readers for start signals changed. */
  readersChanged(): void {
    if (this.#held.size === 0) return;
    const listening = this.listeningParticipants();
    for (const held of this.#held) {
      if (!listening.has(held.participant)) continue;
      clearTimeout(held.timer);
      this.#held.delete(held);
      this.events.readySignal(held.sourceId, held.writerGuid);
    }
  }

  close(): void {
    for (const { timer } of this.#held) clearTimeout(timer);
    this.#held.clear();
  }
}
