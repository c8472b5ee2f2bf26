import { isHlcError } from '../errors/index.js';
import type { Topic } from '../messages/index.js';
import type { QosPolicies } from '../ports/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { writeTopic, type TopicWriter } from './topic-writer.js';

/** A write waits no longer than this for a slow reader, ns. */
const longestWaitNs = 1_000_000n;

/** From a write that was refused to the next one, ms. */
const retryMs = 20;

/** Samples that wait; beyond it the newest are dropped. */
const mostHeld = 10_000;

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
  #isTrying = false;

  /** @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused. */
  constructor(side: Side, topic: Topic<T>, errors: TopicErrors, patience = realPatience) {
    const qos = { ...side.qos, writer: (name: string) => hardlyWaiting(side.qos.writer(name)) };
    this.writer = writeTopic({ transport: side.transport, qos }, topic, errors);
    this.#topic = topic;
    this.#errors = errors;
    this.#patience = patience;
  }

  /** @param bytes CDR with encapsulation header; read during the call only. */
  write(bytes: Uint8Array): void {
    if (this.#held.length === 0 && this.#isWritten(bytes)) return;
    if (this.#held.length >= mostHeld) {
      this.#errors.lost(this.#topic.name, 'overflow', 1);
      return;
    }
    this.#held.push({ bytes: Uint8Array.from(bytes), sinceMs: this.#patience.nowMs() });
    this.#tryLater();
  }

  /** Drops what waits. */
  drop(): void {
    this.#held = [];
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

  #tryNow(): void {
    const nowMs = this.#patience.nowMs();
    let written = 0;
    for (const { bytes, sinceMs } of this.#held) {
      if (!this.#isWritten(bytes, nowMs - sinceMs >= longestHeldMs)) break;
      written++;
    }
    this.#held.splice(0, written);
    if (this.#held.length > 0) this.#tryLater();
  }

  /** @param isLast a sample that is refused now is lost. */
  #isWritten(bytes: Uint8Array, isLast = false): boolean {
    try {
      this.writer.endpoint.write(bytes);
      return true;
    } catch (error) {
      if (!isHlcError(error)) throw error;
      if (error.code === 'HLC_DDS_WRITE' && !isLast) return false;
      this.#errors.writeFailed(error);
      return true;
    }
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
