import { participantOf } from '../core/index.js';
import { unknownWriter } from '../core/ports/index.js';

/** How long a ready signal is held back for the sender's reader to be discovered. */
const longestHoldMs = 1000;
/** How often the graph is looked at for a sender that is not known; nothing tells its changes. */
const lookEveryMs = 20;
/** Signals held back at the same time; more than there are controllers. */
const mostHeld = 1024;

interface ReadyGateEvents {
  readySignal(sourceId: string, writerGuid: string): void;
  deaf(sourceId: string): void;
}

/** Who is matched now; participants by GUID prefix, 24 hex digits. */
interface MatchedParticipants {
  /** Those with a reader for start signals. */
  listeners(): ReadonlySet<string>;
  /** Those with a writer of ready signals. */
  senders(): ReadonlySet<string>;
}

interface HeldSignal {
  readonly sourceId: string;
  readonly writerGuid: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Passes a ready signal on once its sender has a matched reader for start signals. DDS discovers
 * writers and readers one by one, so a ready signal can arrive before the sender's reader is
 * known, and a start signal written then would miss it. Where a transport does not tell who the
 * sender is, all that send ready signals must have one. A sender whose reader stays unknown is
 * passed on after a second, and told: its reader may belong to another participant.
 */
export class ReadyGate {
  readonly #held = new Set<HeldSignal>();
  #looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly matched: MatchedParticipants,
    private readonly events: ReadyGateEvents,
  ) {}

  readySignal(sourceId: string, writerGuid: string): void {
    if (this.#held.size >= mostHeld || this.#listens(writerGuid, this.matched.listeners())) {
      this.events.readySignal(sourceId, writerGuid);
      return;
    }
    const held: HeldSignal = {
      sourceId,
      writerGuid,
      timer: setTimeout(() => {
        this.#held.delete(held);
        this.events.deaf(sourceId);
        this.events.readySignal(sourceId, writerGuid);
      }, longestHoldMs),
    };
    this.#held.add(held);
    if (writerGuid !== unknownWriter.guid) return;
    this.#looking ??= setInterval(() => this.readersChanged(), lookEveryMs);
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
    if (this.#held.size === 0) {
      this.#stopLooking();
      return;
    }
    const listeners = this.matched.listeners();
    for (const held of this.#held) {
      if (!this.#listens(held.writerGuid, listeners)) continue;
      clearTimeout(held.timer);
      this.#held.delete(held);
      this.events.readySignal(held.sourceId, held.writerGuid);
    }
  }

  close(): void {
    this.#stopLooking();
    for (const { timer } of this.#held) clearTimeout(timer);
    this.#held.clear();
  }

  #stopLooking(): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #listens(writerGuid: string, listeners: ReadonlySet<string>): boolean {
    if (writerGuid !== unknownWriter.guid) {
      return listeners.has(participantOf(writerGuid));
    }
    const senders = this.matched.senders();
    return senders.size > 0 && [...senders].every((sender) => listeners.has(sender));
  }
}
