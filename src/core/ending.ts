import type { Command } from './command.js';
import type { EffectSink, EndReason } from './effects.js';
import type { Moment } from './time.js';
import { repeatedWhileStandingNs } from './stop/supervised-vehicle.js';
import type { Supervision } from './supervision/supervision.js';

/** The end of a run: every vehicle that was commanded is brought to rest, for a bounded time. */
export class Ending {
  readonly #reason: EndReason;
  readonly #supervision: Supervision;
  readonly #beganNs: bigint;
  readonly #untilNs: bigint;

  /** @param longestNs for this time at most, ns. */
  constructor(reason: EndReason, supervision: Supervision, now: Moment, longestNs: bigint) {
    this.#reason = reason;
    this.#supervision = supervision;
    this.#beganNs = now.steadyNs;
    this.#untilNs = now.steadyNs + longestNs;
  }

  /** When {@link goOn} is due, steady, ns. */
  get nextAtNs(): bigint {
    return this.#supervision.stops.nextAtNs ?? this.#untilNs;
  }

  /** Sends the stop to the controllers, and begins to stop the vehicles. */
  begin<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    effects.push({ kind: 'ending', reason: this.#reason });
    this.#supervision.finish(now, effects);
  }

  /** Repeats the stop commands; true when the run is over. */
  goOn<C extends Command>(now: Moment, effects: EffectSink<C>): boolean {
    const { stops } = this.#supervision;
    if ((stops.nextAtNs ?? now.steadyNs) <= now.steadyNs) stops.act(now, effects);
    const stopping = stops.stopping.sort((a, b) => a - b);
    const sinceNs = now.steadyNs - repeatedWhileStandingNs;
    // A command that waits for its time would move a vehicle whose time goes on.
    const onward = { ...now, stampNs: now.stampNs + now.steadyNs - this.#beganNs };
    const isTimeOver =
      this.#beganNs <= sinceNs &&
      stops.haveStoodSince(sinceNs, stopping) &&
      !stopping.some((id) => stops.hasPending(id, onward));
    if (stopping.length > 0 && !isTimeOver && now.steadyNs < this.#untilNs) return false;
    if (isTimeOver) for (const id of stopping) stops.finish(id, now, effects);
    const moving = isTimeOver ? [] : stopping;
    for (const id of moving) {
      for (const { command } of stops.standStill(id, now)) {
        effects.push({ kind: 'commandVehicle', id, cause: 'stop', command });
      }
    }
    const latched = this.#supervision.latched();
    effects.push({ kind: 'ended', reason: this.#reason, latched, moving });
    return true;
  }
}
