import { type HlcError, isHlcError } from '../errors/index.js';
import type { Topic } from '../messages/index.js';
import type { QosPolicies } from '../ports/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { writeTopic, type TopicWriter } from './topic-writer.js';

/** A write waits no longer than this for a slow reader, ns. */
const longestWaitNs = 1_000_000n;

/** From a write that was refused to the next one, ms. */
const retryMs = 20;

/** Samples that wait, and their bytes; beyond it the newest are dropped. */
const mostHeld = 10_000;
const mostHeldBytes = 16 * 2 ** 20;

/** A sample is given up after this time, ms: a participant that ended without a word is gone after 10 s. */
const longestHeldMs = 15_000;

interface Held {
  readonly bytes: Uint8Array;
  readonly sinceMs: number;
}

/** What {@link PatientWriter} needs of the world. */
export interface Patience {
  /** Any steady clock, ms. */
  readonly nowMs: () => number;
  readonly after: (ms: number, then: () => void) => { unref(): unknown };
}

const realPatience: Patience = {
  nowMs: () => performance.now(),
  after: (ms, then) => setTimeout(then, ms),
};

/**
 * A writer that never makes its caller wait: while a reader takes nothing more, as a controller that hangs, its samples
 * wait here and go out later, in order. A blocked write would hold up all other vehicles and controllers.
 */
export class PatientWriter<T> {
  readonly writer: TopicWriter<T>;
  readonly #topic: Topic<T>;
  readonly #errors: TopicErrors;
  readonly #patience: Patience;
  #held: Held[] = [];
  #heldBytes = 0;
  #isTrying = false;
  /** Nothing is written before `release`. */
  #isHolding: boolean;

  /**
   * @param start `hold`: samples are kept until `release`.
   * @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused.
   */
  constructor(
    side: Side,
    topic: Topic<T>,
    errors: TopicErrors,
    start: 'pass' | 'hold' = 'pass',
    patience = realPatience,
  ) {
    const qos = { ...side.qos, writer: (name: string) => hardlyWaiting(side.qos.writer(name)) };
    this.writer = writeTopic({ transport: side.transport, qos }, topic, errors);
    this.#topic = topic;
    this.#errors = errors;
    this.#isHolding = start === 'hold';
    this.#patience = patience;
  }

  /** @param bytes CDR with encapsulation header; read during the call only. */
  write(bytes: Uint8Array): void {
    if (this.#held.length === 0 && !this.#isHolding && this.#refusalOf(bytes) === null) return;
    if (this.#held.length >= mostHeld || this.#heldBytes + bytes.length > mostHeldBytes) {
      this.#errors.lost(this.#topic.name, 'overflow', 1);
      return;
    }
    this.#held.push({ bytes: Uint8Array.from(bytes), sinceMs: this.#patience.nowMs() });
    this.#heldBytes += bytes.length;
    if (!this.#isHolding) this.#tryLater();
  }

  /** Writes what was held back, and holds nothing back any more. */
  release(): void {
    this.#isHolding = false;
    const sinceMs = this.#patience.nowMs();
    this.#keep(this.#held.map(({ bytes }) => ({ bytes, sinceMs })));
    this.#tryNow();
  }

  /** Drops what waits. */
  drop(): void {
    this.#keep([]);
  }

  #keep(held: Held[]): void {
    this.#held = held;
    this.#heldBytes = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  #tryLater(): void {
    if (this.#isTrying) return;
    this.#isTrying = true;
    this.#patience
      .after(retryMs, () => {
        this.#isTrying = false;
        this.#tryNow();
      })
      .unref();
  }

  /** One refusal ends it: each of them may take the longest wait. */
  #tryNow(): void {
    let written = 0;
    let refusal: HlcError | null = null;
    for (const { bytes } of this.#held) {
      refusal = this.#refusalOf(bytes);
      if (refusal !== null) break;
      written++;
    }
    this.#keep(this.#held.slice(written));
    if (refusal !== null) this.#giveUp(refusal);
    if (this.#held.length > 0) this.#tryLater();
  }

  /** Those that have waited for too long are lost. */
  #giveUp(refusal: HlcError): void {
    const oldestMs = this.#patience.nowMs() - longestHeldMs;
    const kept = this.#held.filter(({ sinceMs }) => sinceMs > oldestMs);
    for (let lost = this.#held.length - kept.length; lost > 0; lost--) {
      this.#errors.writeFailed(refusal);
    }
    this.#keep(kept);
  }

  /** Writes a sample. @returns why a reader does not take it; null: nothing is left to do. */
  #refusalOf(bytes: Uint8Array): HlcError | null {
    try {
      this.writer.endpoint.write(bytes);
    } catch (error) {
      if (!isHlcError(error)) throw error;
      if (error.code === 'HLC_DDS_WRITE') return error;
      this.#errors.writeFailed(error);
    }
    return null;
  }
}

/** The same policies, with a short wait for slow readers. */
function hardlyWaiting(qos: QosPolicies): QosPolicies {
  const { reliability } = qos;
  if (reliability?.kind !== 'reliable') return qos;
  const { maxBlockingTimeNs: givenNs = null } = reliability;
  const maxBlockingTimeNs = givenNs === null || givenNs > longestWaitNs ? longestWaitNs : givenNs;
  return { ...qos, reliability: { ...reliability, maxBlockingTimeNs } };
}
