import type { ClockReading } from '../../core/index.js';
import type { NodeEffect, NodeEvent, Performed, SessionObserver } from './session-observer.js';

/** Called when an observer threw; it is removed already. */
export type OnObserverRemoved = (name: string, fault: unknown) => void;

/** One record per effect, for all observers. */
export interface PerformedEffect {
  readonly effect: NodeEffect;
  readonly performed: Performed;
}

/** Calls the observers of a session. Their faults never reach the session. */
export class ObserverList {
  #observers: readonly SessionObserver[];

  /** @param onRemoved a fault of this function is ignored: no caller could act on it. */
  constructor(
    observers: readonly SessionObserver[],
    private readonly onRemoved: OnObserverRemoved,
  ) {
    this.#observers = observers;
  }

  /** An event and its effects, all performed. */
  handled(event: NodeEvent, effects: readonly PerformedEffect[], at: ClockReading): void {
    for (const observer of this.#observers) {
      try {
        observer.event?.(event, at);
        if (observer.effect === undefined) continue;
        for (const { effect, performed } of effects) observer.effect(effect, performed, at);
      } catch (fault) {
        this.#remove(observer, fault);
      }
    }
  }

  /** @param stallNs as in `SessionObserver.stalled`. */
  stalled(stallNs: bigint): void {
    for (const observer of this.#observers) {
      try {
        observer.stalled?.(stallNs);
      } catch (fault) {
        this.#remove(observer, fault);
      }
    }
  }

  #remove(observer: SessionObserver, fault: unknown): void {
    this.#observers = this.#observers.filter((other) => other !== observer);
    try {
      this.onRemoved(observer.name, fault);
    } catch {
      // See the constructor.
    }
  }
}
