import type { Command } from '../../core/index.js';
import type { SessionSettings } from '../../tap/index.js';
import type { NodeEffect, SessionObserver } from '../observers/session-observer.js';
import { Rehearsal } from './rehearsal.js';

/** No period is played when less than this is left until the start signal, ns. */
const shortestLeadNs = 600_000n;

/** After a period was played, the next one waits for this many times as long as that took. */
const restFactor = 25n;

/**
 * Plays a period when a start signal was prepared, 1 to 2 ms before that goes out. While the program
 * sleeps, other programs take its place in the processor's caches; the real period would wait for the
 * memory. No period is played while a reply is awaited.
 */
export class WarmUp implements SessionObserver {
  readonly name = 'warm-up';
  readonly #nowNs: () => bigint;
  readonly #play: (kinds: Iterable<Command['kind']>) => void;
  /** Of the commands that were forwarded. */
  readonly #kinds = new Set<Command['kind']>();
  /** When the prepared start signal goes out, ns; null once a period was played for it. */
  #startAtNs: bigint | null = null;
  /** No period is played before this instant, ns. */
  #restUntilNs = 0n;
  #replies = 0;
  #repliesBefore = 0;

  /**
   * @param nowNs the monotonic clock
   * @param play plays a period with a reply of each of these kinds
   */
  constructor(nowNs: () => bigint, play: (kinds: Iterable<Command['kind']>) => void) {
    this.#nowNs = nowNs;
    this.#play = play;
  }

  effect(effect: NodeEffect): void {
    switch (effect.kind) {
      case 'prepareStart':
        this.#startAtNs = effect.slots.first.notBeforeNs;
        break;
      case 'cancelStart':
        this.#startAtNs = null;
        break;
      case 'startSignalSent':
        this.#startAtNs = null;
        this.#repliesBefore = this.#replies;
        this.#replies = 0;
        break;
      case 'forwardCommand':
        this.#kinds.add(effect.command.kind);
        break;
      case 'replied':
        this.#replies++;
        break;
      default:
        break;
    }
  }

  idle(): void {
    const startAtNs = this.#startAtNs;
    if (startAtNs === null || this.#kinds.size === 0) return;
    this.#startAtNs = null;
    const fromNs = this.#nowNs();
    if (startAtNs - fromNs < shortestLeadNs || fromNs < this.#restUntilNs) return;
    // After as many replies as in the period before, no further one is expected.
    if (this.#replies < this.#repliesBefore) return;
    this.#play(this.#kinds);
    this.#restUntilNs = fromNs + (this.#nowNs() - fromNs) * restFactor;
  }
}

/** None in simulated time, where the program does not sleep between its steps. */
export function createWarmUps(settings: SessionSettings, nowNs: () => bigint): WarmUp[] {
  if (settings.mode !== 'real') return [];
  const vehicleIds = settings.config.vehicleIds.slice(0, 1);
  const config = { ...settings.config, vehicleIds, activeVehicleIds: vehicleIds };
  const rehearsal = new Rehearsal(config, vehicleIds);
  return [new WarmUp(nowNs, (kinds) => rehearsal.play(kinds))];
}
