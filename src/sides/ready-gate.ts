import { participantOf, unknownWriter, type WriterIdentity } from '../ports/index.js';

/** How long a ready signal is held back for the sender's reader to be discovered. */
const longestHoldMs = 1000;
/** How often the graph is read for a sender that is not known; no event reports its changes. */
const lookEveryMs = 20;
/**
 * A volatile reader of Cyclone DDS requests the first heartbeat of a writer 10 ms after the match, and
 * drops each sample that this heartbeat announces and that has not arrived. It also drops what a writer
 * of Cyclone DDS sends before that heartbeat; RustDDS announces a sample before it sends it. A reply that
 * is written at this moment is lost. The ready signal proves nothing, since it has a writer of its own.
 * This leaves a busy peer 90 ms for its answer.
 *
 * The other direction needs the time, too: DDS announces writers and readers separately, so the sender can
 * have discovered the reader of its ready signals and not yet the writer of what follows. No event reports
 * that. A best-effort reader would miss its first start signal; in simulated time no second one follows.
 */
const handshakeMs = 100;
/** Signals held back at the same time; more than there are participants. */
const mostHeld = 1024;

/** What a {@link ReadyGate} reports. */
export interface ReadyGateEvents<S> {
  /** The sender is ready, and receives what follows. */
  ready(signal: S, writerGuid: string): void;
  /** No reader is known in the sender's participant; its ready signals pass from now on. */
  deaf(signal: S): void;
}

/** The participants that are matched now, by GUID prefix, 24 hex digits. */
export interface MatchedParticipants {
  /** Those with a reader for what follows a ready signal. */
  listeners(): ReadonlySet<string>;
  /** Those with a writer of ready signals. */
  senders(): ReadonlySet<string>;
}

/** Calls back once after a time, ms. @returns Cancels the call; without effect after it. */
export type Later = (delayMs: number, callback: () => void) => () => void;

interface HeldSignal<S> {
  readonly signal: S;
  readonly writerGuid: string;
  readonly cancel: () => void;
}

/**
 * Passes a ready signal on once its sender has a matched reader for what follows: start signals on
 * the controller side, system triggers on the lab side. DDS discovers writers and readers one by
 * one, so a ready signal can arrive before the sender's reader is known, and a sample that is
 * written then would not reach it. Where a transport does not say who the sender is, all senders of
 * ready signals must have a reader. The signal of a sender without a known reader passes after a
 * second, and is reported: its reader may belong to another participant.
 *
 * A ready signal also waits until what follows it, and the first reply of its sender, cannot be lost
 * (`replyWriterMatched`).
 */
export class ReadyGate<S> {
  readonly #held = new Set<HeldSignal<S>>();
  /** Participants without a known reader, whose ready signals are no longer held. */
  readonly #deaf = new Set<string>();
  /** Cancels the end of the handshake, by participant. */
  readonly #joining = new Map<string, () => void>();
  #cancelLook: (() => void) | undefined;

  constructor(
    private readonly matched: MatchedParticipants,
    private readonly events: ReadyGateEvents<S>,
    private readonly later: Later = afterTimeout,
  ) {}

  readySignal(signal: S, writerGuid: string): void {
    if (
      this.#held.size >= mostHeld ||
      this.#deaf.has(participantOf(writerGuid)) ||
      this.#passes(writerGuid, this.matched.listeners())
    ) {
      this.events.ready(signal, writerGuid);
      return;
    }
    const cancel = this.later(longestHoldMs, () => {
      this.#held.delete(held);
      if (!this.#listens(writerGuid, this.matched.listeners())) {
        if (writerGuid !== unknownWriter.guid) this.#deaf.add(participantOf(writerGuid));
        this.events.deaf(signal);
      }
      this.events.ready(signal, writerGuid);
    });
    const held = { signal, writerGuid, cancel };
    this.#held.add(held);
    if (writerGuid === unknownWriter.guid) this.#lookSoon();
  }

  /** A writer of replies matched: the ready signals of its participant wait for the handshake. */
  replyWriterMatched({ guid }: WriterIdentity): void {
    const participant = participantOf(guid);
    this.#joining.get(participant)?.();
    const cancel = this.later(handshakeMs, () => {
      this.#joining.delete(participant);
      this.readersChanged();
    });
    this.#joining.set(participant, cancel);
  }

  /** A writer of ready signals is gone; the signals of it that are held no longer count. */
  writerGone(writerGuid: string): void {
    this.#deaf.delete(participantOf(writerGuid));
    for (const held of this.#held) {
      if (held.writerGuid === writerGuid) this.#drop(held);
    }
  }

  /** The matched readers for what follows changed. */
  readersChanged(): void {
    if (this.#held.size === 0) return;
    const listeners = this.matched.listeners();
    for (const held of this.#held) {
      if (!this.#passes(held.writerGuid, listeners)) continue;
      this.#drop(held);
      this.events.ready(held.signal, held.writerGuid);
    }
  }

  close(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    for (const cancel of this.#joining.values()) cancel();
    this.#joining.clear();
    for (const held of this.#held) this.#drop(held);
  }

  #lookSoon(): void {
    this.#cancelLook ??= this.later(lookEveryMs, () => {
      this.#cancelLook = undefined;
      this.readersChanged();
      if (this.#held.size > 0) this.#lookSoon();
    });
  }

  #drop(held: HeldSignal<S>): void {
    held.cancel();
    this.#held.delete(held);
  }

  #passes(writerGuid: string, listeners: ReadonlySet<string>): boolean {
    return !this.#joining.has(participantOf(writerGuid)) && this.#listens(writerGuid, listeners);
  }

  #listens(writerGuid: string, listeners: ReadonlySet<string>): boolean {
    if (writerGuid !== unknownWriter.guid) return listeners.has(participantOf(writerGuid));
    const senders = this.matched.senders();
    return senders.size > 0 && [...senders].every((sender) => listeners.has(sender));
  }
}

function afterTimeout(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => {
    clearTimeout(timer);
  };
}
