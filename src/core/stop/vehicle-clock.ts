import { earlier, later, type Moment, nsPerMs } from '../time.js';

/** The clock by which one vehicle drives. */
export interface VehicleClock {
  /** Now for the vehicle; the clock does not change. In simulated time both instants are its simulated time. */
  momentOf(now: Moment): Moment;
  /** Moves the clock on. @returns now for the vehicle. */
  advanceTo(now: Moment): Moment;
  /**
   * A state of the vehicle came.
   * @param createStampNs when it was made, ns.
   * @param received when it came; in simulated time its stamp is that of the next step.
   * @returns when the state shows the vehicle.
   */
  seen(createStampNs: bigint, received: Moment): Moment;
  /** True when its time has not advanced since this steady instant, ns. */
  standsSince(steadyNs: bigint): boolean;
}

/** The wall clock was set when it gains or loses more than this against the steady one, ns. */
const stepNs = 100n * nsPerMs;

/**
 * In real time a vehicle drives by its own clock, which shows the time of this program. When the clock of this program
 * is set forward, the one of the vehicle is behind by that: a stop with the new stamps would begin so much later. The
 * stamps of the states show whether the clock of the vehicle was set, too.
 */
export class RealVehicleClock implements VehicleClock {
  /** Wall clock less steady clock, ns; null before the first moment. */
  #offsetNs: bigint | null = null;
  #behindNs = 0n;
  /** Age of the last state by the clocks before one of them was set, ns; null: not known. */
  #ageNs: bigint | null = null;

  momentOf(now: Moment): Moment {
    return momentBehind(now, this.#behindAt(now));
  }

  advanceTo(now: Moment): Moment {
    this.#behindNs = this.#behindAt(now);
    this.#offsetNs = now.stampNs - now.steadyNs;
    return momentBehind(now, this.#behindNs);
  }

  seen(createStampNs: bigint, received: Moment): Moment {
    const at = this.advanceTo(received);
    if (createStampNs === 0n) return at;
    const ageNs = received.stampNs - createStampNs;
    const isSet = this.#ageNs !== null && ageNs - this.#ageNs < this.#behindNs / 2n;
    if (isSet) this.#behindNs = 0n;
    if (this.#behindNs === 0n) this.#ageNs = ageNs;
    return isSet ? received : at;
  }

  standsSince(): boolean {
    return false;
  }

  #behindAt({ steadyNs, stampNs }: Moment): bigint {
    if (this.#offsetNs === null) return this.#behindNs;
    const gainedNs = stampNs - steadyNs - this.#offsetNs;
    const isStep = gainedNs > stepNs || gainedNs < -stepNs;
    return isStep ? later(this.#behindNs + gainedNs, 0n) : this.#behindNs;
  }
}

function momentBehind(now: Moment, behindNs: bigint): Moment {
  return behindNs === 0n ? now : { steadyNs: now.steadyNs, stampNs: now.stampNs - behindNs };
}

/**
 * In simulated time a vehicle drives on within a step, and stands while its lab waits: its states show how far it
 * is. Before the first of them, and where they have no stamps, it is at the time of the step.
 */
export class SimulatedVehicleClock implements VehicleClock {
  #ns = 0n;
  /** When the time last advanced, steady, ns. */
  #advancedAtNs = 0n;

  momentOf({ stampNs }: Moment): Moment {
    const ns = later(this.#ns, stampNs);
    return { steadyNs: ns, stampNs: ns };
  }

  advanceTo(now: Moment): Moment {
    this.#advance(now.stampNs, now.steadyNs);
    return this.momentOf(now);
  }

  seen(createStampNs: bigint, { steadyNs, stampNs }: Moment): Moment {
    // Before the next step no vehicle is beyond it.
    this.#advance(earlier(createStampNs, stampNs), steadyNs);
    return { steadyNs: this.#ns, stampNs: this.#ns };
  }

  standsSince(steadyNs: bigint): boolean {
    return this.#advancedAtNs <= steadyNs;
  }

  #advance(ns: bigint, steadyNs: bigint): void {
    if (ns <= this.#ns) return;
    this.#ns = ns;
    this.#advancedAtNs = later(this.#advancedAtNs, steadyNs);
  }
}
