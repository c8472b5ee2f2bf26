import { earlier, later, type Moment } from '../time.js';

/** The clock by which one vehicle drives. In real time it is that of this program. */
export interface VehicleClock {
  /** Now for the vehicle. In simulated time both instants are its simulated time. */
  momentOf(now: Moment): Moment;
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

/** In real time vehicles drive by the clock of this program. */
export const realTimeClock: VehicleClock = {
  momentOf: (now) => now,
  seen: (_, received) => received,
  standsSince: () => false,
};

/**
 * In simulated time a vehicle drives on within a step, and stands while its lab waits: its states show how far it
 * is. Before the first of them, and where they have no stamps, it is at the time of the step.
 */
export class SimulatedVehicleClock implements VehicleClock {
  #ns = 0n;
  /** When the time last advanced, steady, ns. */
  #advancedAtNs = 0n;

  momentOf({ steadyNs, stampNs }: Moment): Moment {
    this.#advance(stampNs, steadyNs);
    return { steadyNs: this.#ns, stampNs: this.#ns };
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
