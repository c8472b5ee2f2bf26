import type { EventOf, Phase } from '../judging/index.js';
import { controllerSourceId, nsPerS } from '../../core/index.js';
import type { Clocks } from '../../dds/index.js';
import type { MiddlewareSide } from './middleware-side.js';
import type { Recording } from './recording.js';
import type { Wake } from './wake.js';

/** With some ready signals there, others are waited for this long. */
const furtherSignalsNs = 2n * nsPerS;
/** Kept ready signals come as soon as DDS has discovered both ends. */
const keptSignalsNs = 3n * nsPerS;
/** How long a reader of start signals may stay unknown when the ready signals are there. */
const listenersNs = nsPerS;
const lookNs = 5_000_000n;

/** Identifies a participant: its GUID prefix. */
type Counts = (participant: string) => boolean;

/** Waits for the ready signals of a recording, as far as they are to be expected. */
export class SignIns {
  constructor(
    private readonly recording: Recording,
    private readonly wake: Wake,
    private readonly clocks: Clocks,
  ) {}

  /** The ready signals that came since the phase began, or ever. */
  signals(phase?: Phase): EventOf<'readySignal'>[] {
    const { events } = this.recording;
    const from = events.findLastIndex((event) => event.kind === 'phase' && event.phase === phase);
    return events
      .slice(phase === undefined ? 0 : from + 1)
      .filter((event) => event.kind === 'readySignal');
  }

  /**
   * Settles when the signals of all vehicles came from such participants, or no more are to be expected.
   * @param timeoutNs longest wait for the first of them, ns; 0 waits for ever.
   * @param isGone true when the process that could write one has ended.
   */
  async complete(
    vehicleIds: readonly number[],
    counts: Counts,
    timeoutNs: bigint,
    isGone: () => boolean,
  ): Promise<void> {
    const startedAtNs = this.clocks.monotonicNs();
    const isOver = () => {
      if (isGone()) return true;
      const nowNs = this.clocks.monotonicNs();
      if (timeoutNs > 0n && nowNs - startedAtNs > timeoutNs) return true;
      const signals = this.signals().filter(({ participant }) => counts(participant));
      const last = signals.at(-1);
      if (last === undefined) return false;
      const sources = new Set(signals.map(({ sourceId }) => sourceId));
      if (vehicleIds.every((id) => sources.has(controllerSourceId(id)))) return true;
      return nowNs - (last.atNs > startedAtNs ? last.atNs : startedAtNs) > furtherSignalsNs;
    };
    while (!isOver()) await this.wake.after(lookNs);
  }

  /** Settles when a middleware, too, received all that came, or cannot receive it. */
  async receivedByMiddleware(): Promise<void> {
    await this.wake.until(() => {
      if (this.recording.events.some(({ kind }) => kind === 'refusedQos')) return true;
      const signals = this.signals();
      const received = signals.filter(({ receivedBy }) => receivedBy === 'middleware');
      return signals.every(({ sourceId }) => received.some((one) => one.sourceId === sourceId));
    }, keptSignalsNs);
  }

  /** Settles when a middleware that came later has received these, or cannot receive them. */
  async kept(sources: ReadonlySet<string>): Promise<void> {
    await this.wake.until(() => {
      const received = this.signals('rejoin')
        .filter(({ receivedBy }) => receivedBy === 'middleware')
        .map(({ sourceId }) => sourceId);
      return [...sources].every((source) => received.includes(source));
    }, keptSignalsNs);
  }

  /** Settles when those that signed in also read start signals, as far as it is to be expected. */
  async listening(side: MiddlewareSide, counts: Counts): Promise<void> {
    await this.wake.until(() => {
      const listeners = side.listeners();
      const signals = this.signals().filter(({ participant }) => counts(participant));
      return signals.length > 0 && signals.every(({ participant }) => listeners.has(participant));
    }, listenersNs);
  }
}
