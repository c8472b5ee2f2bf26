import { TakenOverStops, type GuardStop } from '../../core/index.js';

export interface GuardTakeOverOptions {
  /** True after a stall, while the states of that time may not have been read. */
  readonly isBehind: () => boolean;
  /** The vehicles that were commanded here. */
  readonly commandedIds: () => readonly number[];
  /** Stops these vehicles, too. */
  readonly stop: (stops: readonly GuardStop[]) => void;
  /** The stops were taken over. */
  readonly onTaken: () => void;
}

/**
 * Takes over the stops that a guard made while this program was silent, or before it was started. The guard goes on
 * with them until then, so that it can wait until the states say where the vehicles are.
 */
export class GuardTakeOver {
  /** The stops that were taken over. */
  readonly stops = new TakenOverStops();
  readonly #options: GuardTakeOverOptions;
  /** What guards said last of their stops, by their epochs, while this waits. */
  readonly #held = new Map<bigint, readonly GuardStop[]>();

  constructor(options: GuardTakeOverOptions) {
    this.#options = options;
  }

  /** The status of a guard came: its stops that no middleware has taken over. */
  guardStops(guardEpoch: bigint, stops: readonly GuardStop[]): void {
    if (this.#options.isBehind()) this.#held.set(guardEpoch, stops);
    else this.#takeOver(guardEpoch, stops);
  }

  /** Takes over what was held. */
  release(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const [guardEpoch, stops] of held) this.#takeOver(guardEpoch, stops);
  }

  #takeOver(guardEpoch: bigint, stops: readonly GuardStop[]): void {
    const { commandedIds, stop, onTaken } = this.#options;
    const own = new Set(commandedIds());
    const taken = this.stops.takeOver(
      guardEpoch,
      stops.filter(({ id }) => own.has(id)),
    );
    if (taken.length === 0) return;
    stop(taken);
    onTaken();
  }
}
