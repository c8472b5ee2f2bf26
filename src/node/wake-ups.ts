import { earlier, type ClockReading } from '../core/index.js';
import type { Clocks, Pacer, SentSlot, Tick } from '../dds/index.js';
import { readClocks } from './read-clocks.js';
import type { NodeSession } from './session-factory.js';
import { isRepeated, type StartPreparer } from './start-preparer.js';

/** A stall of the JavaScript thread shorter than this is no more than what every program has. */
const shortestStallNs = 50_000_000n;

export interface WakeUpsOptions {
  readonly session: NodeSession['session'];
  readonly pacer: Pacer;
  readonly clocks: Clocks;
  /** Null where nothing is due at an instant, as in simulated time. */
  readonly preparer: StartPreparer | null;
  /** Gives the session this time; `arm` follows. */
  readonly wake: (now: ClockReading) => void;
  readonly onStall: (stallNs: bigint) => void;
}

/** Has the pacer wake the session when that asks for it, and send the start signals that are prepared. */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  /** The instant that the pacer sleeps to, ns. */
  #armedNs: bigint | null = null;
  #sent: SentSlot | null = null;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
    options.pacer.onTick((tick) => this.#onTick(tick));
    options.pacer.timedWriter.onSent((sent) => this.#onStartSent(sent));
  }

  /**
   * To be called after every event. The session may be woken early, so the pacer is only told of
   * earlier instants, not of later.
   */
  arm(): void {
    const wakeAtNs = this.#wakeAtNs;
    if (wakeAtNs === null || (this.#armedNs !== null && this.#armedNs <= wakeAtNs)) return;
    this.#armedNs = wakeAtNs;
    this.#options.pacer.arm(wakeAtNs);
  }

  /** The start signal of this time, if the pacer has sent it; while the session is told of it. */
  sentByPacer(tNowNs: bigint): { readonly repeated: boolean } | null {
    return this.#sent?.value === tNowNs ? { repeated: isRepeated(this.#sent) } : null;
  }

  /** Nothing is sent any more that is not sent by this thread. */
  cancelStart(): void {
    this.#options.pacer.timedWriter.cancel();
  }

  close(): void {
    this.cancelStart();
    this.#options.pacer.disarm();
  }

  get #wakeAtNs(): bigint | null {
    const { session, preparer } = this.#options;
    const { wakeAtNs } = session;
    const prepareAtNs = preparer?.prepareAtNs ?? null;
    if (wakeAtNs === null || prepareAtNs === null) return wakeAtNs;
    return earlier(wakeAtNs, prepareAtNs);
  }

  #onTick(tick: Tick): void {
    const { clocks, preparer, wake } = this.#options;
    // Earlier than anything, so that nothing is armed on the way that is done by the end.
    this.#armedNs = 0n;
    this.#noticeStall(tick);
    const now = readClocks(clocks);
    preparer?.prepare(now.monotonicNs);
    // What the pacer has sent comes with an event of its own, and its own time.
    if (preparer?.leavesToPacer(now.monotonicNs) !== true) {
      wake(now);
      preparer?.prepare(now.monotonicNs);
    }
    this.#armedNs = null;
    this.arm();
  }

  /** The session is woken as of the instant at which the pacer sent. */
  #onStartSent(sent: SentSlot): void {
    const { monotonicNs, realtimeNs } = sent;
    this.#sent = sent;
    this.#options.wake({ monotonicNs, realtimeNs });
    this.#sent = null;
  }

  /** The pacer's thread was awake in time; this one was busy with something else. */
  #noticeStall({ wokeAtNs }: Tick): void {
    const stallNs = this.#options.clocks.monotonicNs() - wokeAtNs;
    if (stallNs >= shortestStallNs) this.#options.onStall(stallNs);
  }
}
