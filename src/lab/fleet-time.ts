import { isHlcError } from '../errors/index.js';
import { printable, stopSymbol } from '../core/index.js';
import type { LabControlEvent } from './control/events.js';
import type { LabControl, SimulatedTimeControl } from './control/options.js';
import type { Participant } from './control/participants.js';
import type { SimulatedClock } from './simulated-clock.js';

/** A middleware does not wait longer than this for its next step, ns: the longest period is a day. */
const longestStepNs = 86_400_000_000_000n;
/** Questions until a middleware that has just signed in answers, and how long each waits. */
const mostQuestions = 200;
const questionWaits = { firstAnswerNs: 50_000_000n, furtherAnswersNs: 5_000_000n };

/**
 * Lets simulated time go on for the vehicles of a lab and its middleware: when all wait, the vehicles
 * drive up to the wanted step and send their states, and then the trigger for that step goes out.
 * All of it comes from one participant, so that a middleware has the states before the trigger, as
 * this one has the commands of a step before the ready signal for the next.
 */
export class FleetTime {
  /** Those that have all the writers of this program, and lose nothing that it sends. */
  readonly #met = new Set<string>();
  #hasBegun = false;

  /** @param wanted Time begins when this many participants have signed in. */
  constructor(
    private readonly clock: SimulatedClock,
    private readonly wanted: number,
    private readonly report: (text: string) => void,
  ) {}

  /** @param control whose event it is; its time is stepped from here alone. */
  onEvent(event: LabControlEvent, control: LabControl<SimulatedTimeControl>): void {
    switch (event.kind) {
      case 'participant':
        if (this.#needsNothing(event.participant)) this.#proceed(control);
        else void this.#meet(event.participant.sourceId, control).catch(unlessClosed);
        break;
      case 'participant-left':
        this.#met.delete(event.sourceId);
        this.report(
          event.holdsTime
            ? `${printable(event.sourceId)} has left, and time waits for it; start it again, or start all again`
            : `${printable(event.sourceId)} has left`,
        );
        break;
      case 'old-ready-signal':
        this.report(
          `${printable(event.sourceId)} begins again at ${event.nextStartNs} ns, and time does not go back; start the vehicles again, too`,
        );
        break;
      case 'fault':
        this.report(`fault: ${String(event.error)}`);
        break;
      default:
        break;
    }
  }

  /** It has all writers, or has signed off: then it wants no step, and may be gone. */
  #needsNothing({ sourceId, nextStartNs }: Participant): boolean {
    return nextStartNs === stopSymbol || this.#met.has(sourceId);
  }

  async #meet(sourceId: string, control: LabControl<SimulatedTimeControl>): Promise<void> {
    for (let asked = 0; asked < mostQuestions && !this.#met.has(sourceId); asked++) {
      const answered = await control.askAll(questionWaits);
      if (answered.includes(sourceId)) this.#met.add(sourceId);
    }
    if (!this.#met.has(sourceId)) {
      this.report(
        `${printable(sourceId)} answers no round-trip questions; it may miss the first states`,
      );
      this.#met.add(sourceId);
    }
    this.report(`${printable(sourceId)} signed in`);
    this.#proceed(control);
  }

  #proceed({ time }: LabControl<SimulatedTimeControl>): void {
    const participants = time.participants();
    const allWait = participants.every(
      (participant) => participant.state === 'waiting' && this.#needsNothing(participant),
    );
    const isComplete = this.#hasBegun || participants.length >= this.wanted;
    if (!allWait || !isComplete) return;
    this.#hasBegun = true;
    const wanted = participants.map(({ nextStartNs }) => nextStartNs);
    const nextNs = wanted.reduce((least, one) => (one < least ? one : least), stopSymbol);
    if (nextNs === stopSymbol) return;
    // A first step far from 0 is where time begins, not something to drive to.
    if (nextNs - this.clock.nowNs() > longestStepNs) this.clock.skipTo(nextNs);
    this.clock.advanceTo(nextNs);
    time.step();
  }
}

/** The vehicles may be ended while a middleware is being met. */
function unlessClosed(error: unknown): void {
  if (!isHlcError(error) || error.code !== 'HLC_CLOSED') throw error;
}
