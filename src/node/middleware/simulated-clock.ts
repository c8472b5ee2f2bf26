import { setTimeout as wait } from 'node:timers/promises';
import { RecentKeys } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import { RosClock, type RosTopics } from '../../ros2/index.js';
import type { Logger } from '../logger.js';

/** Time for the discovery of other nodes on the domain, ms. */
const discoveryMs = 1000;

/** Nodes with `/clock` that are remembered: each is reported once. */
const mostReported = 100;

/** What decides who publishes `/clock`. */
interface ClockOptions {
  /** Of the sides with the names of ROS 2, whose participants were made just now. */
  readonly topics: readonly RosTopics[];
  /** Who lets time step: this middleware, or the lab, whose time it passes on. */
  readonly source: 'self' | 'lab';
  readonly log: Logger;
  /** Aborts when the process is to end. */
  readonly stopped: AbortSignal;
}

/**
 * `/clock` on every side with the names of ROS 2. A middleware that is the source of time must be the
 * only publisher. One that passes on the time of the lab leaves `/clock` to a node that publishes it.
 */
export class SimulatedClock {
  readonly #options: ClockOptions;
  readonly #clocks: readonly RosClock[];
  readonly #madeAtMs = performance.now();
  readonly #reported = new RecentKeys(mostReported);

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#clocks = options.topics.map((topics) => new RosClock(topics));
  }

  /**
   * Begins to publish, once the other nodes are discovered.
   * @throws what `stopped` aborts with.
   * @throws HlcError `HLC_ROS_CLOCK_TAKEN` for the source of time; `HLC_ROS_MESSAGES`.
   */
  async open(): Promise<void> {
    if (this.#clocks.length === 0) return;
    const { source, stopped } = this.#options;
    const leftMs = this.#madeAtMs + discoveryMs - performance.now();
    await wait(Math.max(0, leftMs), undefined, { signal: stopped });
    for (const clock of this.#clocks) {
      const other = clock.other();
      if (source === 'lab' && other !== undefined) this.#report(other, 'HLC_ROS_CLOCK_LEFT');
      else clock.open();
    }
  }

  /** @param timeNs simulated time, ns. */
  publish(timeNs: bigint): void {
    for (const clock of this.#clocks) clock.publish(timeNs);
  }

  /** To be called every second: repeats a time that stands, and looks for other publishers. */
  tend(): void {
    for (const clock of this.#clocks) {
      clock.repeat();
      const other = clock.other();
      if (other !== undefined && clock.isOpen) this.#report(other, 'HLC_ROS_CLOCK_TAKEN');
    }
  }

  #report(node: string, code: 'HLC_ROS_CLOCK_TAKEN' | 'HLC_ROS_CLOCK_LEFT'): void {
    if (!this.#reported.add(node)) return;
    const { message } = new HlcError(code, { node });
    const level = code === 'HLC_ROS_CLOCK_TAKEN' ? 'error' : 'warn';
    this.#options.log[level]({ code }, message);
  }
}
