import type { VehiclesOptions } from '../../sides/index.js';

/** The middleware's default: a step this much later comes after the states of the same instant. */
const afterStatesNs = 1n;

/** What the steps do. */
export interface LabTimeActions {
  /** The time of a heartbeat has come. `passedOn` follows. */
  readonly open: () => void;
  /** Sends the own states of this heartbeat. */
  readonly answer: (beat: number) => void;
}

/**
 * The heartbeats in the simulated time of the lab. Each takes two steps. At the time of the heartbeat
 * the states of the other nodes become those of vehicles, as vehicles of the lab publish theirs. 1 ns
 * later, after the states of the same instant, the vehicles of the lab are sent to the other nodes.
 */
export class LabTime {
  readonly #heartbeatNs: bigint;
  readonly #actions: LabTimeActions;
  #beat = 0;
  #wanted: 'open' | 'answer' = 'open';
  #nextNs = 0n;
  /** Ends the step that is under way. */
  #finish: (() => void) | undefined;

  constructor(heartbeatNs: bigint, actions: LabTimeActions) {
    this.#heartbeatNs = heartbeatNs;
    this.#actions = actions;
  }

  /** For `createVehicles`. */
  steps(sourceId: string): NonNullable<VehiclesOptions['simulatedTime']> {
    return {
      sourceId,
      onStep: () => new Promise((resolve) => this.#step(resolve)),
      nextStepNs: () => this.#nextNs,
    };
  }

  /** The states of the other nodes are passed on to the lab. */
  passedOn(): void {
    if (this.#wanted !== 'open') return;
    this.#next('answer', BigInt(this.#beat) * this.#heartbeatNs + afterStatesNs);
  }

  #step(finish: () => void): void {
    this.#finish = finish;
    if (this.#wanted === 'open') {
      this.#actions.open();
      return;
    }
    this.#actions.answer(this.#beat);
    this.#beat++;
    this.#next('open', BigInt(this.#beat) * this.#heartbeatNs);
  }

  #next(wanted: 'open' | 'answer', nextNs: bigint): void {
    this.#wanted = wanted;
    this.#nextNs = nextNs;
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
  }
}
