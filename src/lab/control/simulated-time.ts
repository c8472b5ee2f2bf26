import { stopSymbol } from '../../core/index.js';
import type { SimulatedTimeOptions } from './options.js';
import type { Participant, TimeEffect } from './participants.js';

/**
 * Simulated time as the lab control keeps it: every participant announces its next step,
 * and time goes on to the earliest of them when no participant works on the current one (CPM Lab,
 * `TimerTrigger`). A participant that is out of sync holds time up, as in the lab.
 */
export class SimulatedTime {
  readonly #expected: Set<string>;
  readonly #repeatTriggers: boolean;
  readonly #nextStartsNs = new Map<string, bigint>();
  /** Time of the newest step, ns; undefined before the first. */
  #nowNs: bigint | undefined;
  #stepsLeft = 0;
  #stopped = false;

  constructor({ expected = [], repeatTriggers = false }: SimulatedTimeOptions) {
    this.#expected = new Set(expected);
    this.#repeatTriggers = repeatTriggers;
  }

  /** A participant waits for the step of this time, ns. */
  readySignal(sourceId: string, nextStartNs: bigint): TimeEffect[] {
    const knownNs = this.#nextStartsNs.get(sourceId);
    if (knownNs !== undefined && nextStartNs < knownNs) {
      return [{ kind: 'old-ready-signal', sourceId, nextStartNs }];
    }
    this.#nextStartsNs.set(sourceId, nextStartNs);
    return [
      { kind: 'participant', participant: this.#participant(sourceId, nextStartNs) },
      ...this.#afterReadySignal(nextStartNs),
    ];
  }

  /** Lets time run: step after step, as soon as all wait. */
  start(): TimeEffect[] {
    return this.step(Infinity);
  }

  /** Begins no further step. */
  pause(): TimeEffect[] {
    this.#stepsLeft = 0;
    return [];
  }

  /** Begins this many further steps, each as soon as all wait, then pauses. */
  step(count: number): TimeEffect[] {
    this.#stepsLeft = count;
    return this.#advance();
  }

  /** Stops all; no step begins after it. */
  stop(): TimeEffect[] {
    this.#stopped = true;
    return [{ kind: 'trigger', nextStartNs: stopSymbol }];
  }

  /** Goes on without a participant, until it signs in again. */
  forget(sourceId: string): TimeEffect[] {
    this.#expected.delete(sourceId);
    this.#nextStartsNs.delete(sourceId);
    return this.#advance();
  }

  /** A participant is gone. */
  left(sourceId: string): TimeEffect[] {
    const wantedNs = this.#nextStartsNs.get(sourceId) ?? stopSymbol;
    const holdsTime = !this.#stopped && wantedNs !== stopSymbol;
    return [{ kind: 'participant-left', sourceId, holdsTime }];
  }

  participants(): Participant[] {
    return Array.from(this.#nextStartsNs, ([sourceId, nextStartNs]) =>
      this.#participant(sourceId, nextStartNs),
    );
  }

  #afterReadySignal(nextStartNs: bigint): TimeEffect[] {
    const nowNs = this.#nowNs;
    if (nowNs === undefined || this.#earliestNs() !== nowNs) return this.#advance();
    // Its sender joined just now, or the trigger did not reach it.
    const missed = nextStartNs === nowNs;
    if (this.#stopped || !(missed || this.#repeatTriggers)) return [];
    return [{ kind: 'trigger', nextStartNs: nowNs }];
  }

  #advance(): TimeEffect[] {
    if (this.#stopped || this.#stepsLeft === 0 || this.#isIncomplete()) return [];
    const nextNs = this.#earliestNs();
    // No participant, or none that wants a step.
    if (nextNs === stopSymbol) return [];
    if (this.#nowNs !== undefined && nextNs <= this.#nowNs) return [];
    this.#nowNs = nextNs;
    this.#stepsLeft--;
    return [{ kind: 'trigger', nextStartNs: nextNs }];
  }

  /** The earliest wanted step; the stop symbol, which is the highest number, when there is none. */
  #earliestNs(): bigint {
    let earliestNs = stopSymbol;
    for (const ns of this.#nextStartsNs.values()) if (ns < earliestNs) earliestNs = ns;
    return earliestNs;
  }

  /** Someone who is expected has not signed in. */
  #isIncomplete(): boolean {
    return Array.from(this.#expected).some((sourceId) => !this.#nextStartsNs.has(sourceId));
  }

  #participant(sourceId: string, nextStartNs: bigint): Participant {
    const nowNs = this.#nowNs;
    if (nowNs === undefined || nextStartNs > nowNs) {
      return { sourceId, nextStartNs, state: 'waiting' };
    }
    return { sourceId, nextStartNs, state: nextStartNs === nowNs ? 'working' : 'out-of-sync' };
  }
}
