import {
  obeyedCommand,
  withoutOutranked,
  type Command,
  type VehicleProfile,
} from '../../core/index.js';

/** Commands kept; beyond it the oldest that is not valid yet is dropped. */
const mostKept = 256;

/** The received commands of one vehicle, and which of them it obeys at a time. */
export class CommandInbox {
  /** In the order of their arrival. */
  #received: Command[] = [];

  constructor(private readonly profile: VehicleProfile) {}

  /** @param nowNs The vehicle's time, ns since 1970 or of the simulated time. */
  add(command: Command, nowNs: bigint): void {
    this.#received.push(command);
    if (this.#received.length <= mostKept) return;
    this.#received = withoutOutranked(this.#received, nowNs);
    if (this.#received.length <= mostKept) return;
    const oldest = this.#received.findIndex(({ message }) => {
      return message.header.valid_after_stamp.nanoseconds > nowNs;
    });
    this.#received.splice(oldest, 1);
  }

  /**
   * The command that the vehicle obeys now; null when it stops.
   * @param nowNs The vehicle's time, ns since 1970 or of the simulated time.
   */
  commandAt(nowNs: bigint): Command | null {
    this.#received = withoutOutranked(this.#received, nowNs);
    return obeyedCommand(this.profile, this.#received, nowNs);
  }
}
