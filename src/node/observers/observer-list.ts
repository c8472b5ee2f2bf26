import type { ClockReading } from '../../core/index.js';
import type { SessionSettings } from '../../tap/index.js';
import type { NodeEvent, PerformedEffect, SessionObserver } from './session-observer.js';

/** Called when an observer threw; it is removed already. */
export type OnObserverRemoved = (name: string, fault: unknown) => void;

/** Calls the observers of a session. Their faults never reach the session. */
export class ObserverList {
  #observers: readonly SessionObserver[] = [];
  /** Those that look at events, and those that look at effects: most events have no effect. */
  #ofEvents: readonly SessionObserver[] = [];
  #ofEffects: readonly SessionObserver[] = [];
  /** Those that may hold simulated time. */
  #ofTime: readonly SessionObserver[] = [];

  /** @param onRemoved a fault of this function is ignored: no caller could act on it. */
  constructor(
    observers: readonly SessionObserver[],
    private readonly onRemoved: OnObserverRemoved,
  ) {
    this.#keep(observers);
  }

  /** True while an observer wants the samples of start signals. */
  get wantSamples(): boolean {
    return this.#observers.some(({ wantsSamples }) => wantsSamples === true);
  }

  /** As `SessionObserver.begun`. */
  begun(settings: SessionSettings, now: ClockReading): void {
    this.#each((observer) => observer.begun?.(settings, now));
  }

  /** An event and its effects, all performed. */
  handled(event: NodeEvent, effects: readonly PerformedEffect[], at: ClockReading): void {
    this.#each((observer) => {
      observer.event?.(event, at);
      observer.handled?.(event, effects, at);
    }, this.#ofEvents);
    if (effects.length === 0) return;
    this.#each((observer) => {
      for (const { effect, performed } of effects) observer.effect?.(effect, performed, at);
    }, this.#ofEffects);
  }

  /** As `SessionObserver.timeHold`, of the first that asks. */
  timeHold(): Promise<void> | undefined {
    let hold: Promise<void> | undefined;
    this.#each((observer) => {
      hold ??= observer.timeHold?.();
    }, this.#ofTime);
    return hold;
  }

  /** As `SessionObserver.held`. */
  held(isHeld: boolean, isPaused: boolean): void {
    this.#each((observer) => observer.held?.(isHeld, isPaused));
  }

  /** @param stallNs as in `SessionObserver.stalled`. */
  stalled(stallNs: bigint): void {
    this.#each((observer) => observer.stalled?.(stallNs));
  }

  /** As `SessionObserver.idle`. */
  idle(): void {
    this.#each((observer) => observer.idle?.());
  }

  #each(call: (observer: SessionObserver) => void, observers = this.#observers): void {
    for (const observer of observers) {
      try {
        call(observer);
      } catch (fault) {
        this.#remove(observer, fault);
      }
    }
  }

  #keep(observers: readonly SessionObserver[]): void {
    this.#observers = observers;
    this.#ofEvents = observers.filter(
      (observer) => observer.event !== undefined || observer.handled !== undefined,
    );
    this.#ofEffects = observers.filter((observer) => observer.effect !== undefined);
    this.#ofTime = observers.filter((observer) => observer.timeHold !== undefined);
  }

  #remove(observer: SessionObserver, fault: unknown): void {
    this.#keep(this.#observers.filter((other) => other !== observer));
    try {
      this.onRemoved(observer.name, fault);
    } catch {
      // See the constructor.
    }
  }
}
