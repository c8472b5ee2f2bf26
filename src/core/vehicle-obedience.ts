import { commandKinds, createStampOf, type Command, validAfterOf } from './command.js';

/**
 * The command that a vehicle obeys now. Of each kind it is the command with the newest create stamp
 * among those whose `valid_after_stamp` has come, unless that stamp is past by the time-out or
 * more; of these the first kind of the profile counts.
 * @param received the commands for this vehicle in the order of their arrival; with equal create
 *   stamps the later arrival counts.
 * @param nowNs the vehicle's time, ns since 1970, or simulated time.
 * @returns null when the vehicle obeys no command and stops.
 */
export function obeyedCommand<C extends Command>(
  { kinds, timeoutNs }: VehicleProfile,
  received: readonly C[],
  nowNs: bigint,
): C | null {
  const newest = newestValid(received, nowNs);
  for (const kind of kinds) {
    const command = newest.get(kind);
    if (command === undefined) continue;
    if (timeoutNs === null || nowNs - validAfterOf(command) < timeoutNs) return command;
  }
  return null;
}

/**
 * The commands that count now or can count later; all others are outranked by a newer one of their
 * kind for good, as long as the clock is not set back.
 * @param received in the order of their arrival, which the result keeps.
 * @param nowNs the vehicle's time, ns since 1970, or simulated time.
 */
export function withoutOutranked<C extends Command>(received: readonly C[], nowNs: bigint): C[] {
  const newest = newestValid(received, nowNs);
  return received.filter((command) => {
    const valid = newest.get(command.kind);
    if (valid === undefined || command === valid) return true;
    return validAfterOf(command) > nowNs && createStampOf(command) >= createStampOf(valid);
  });
}

/** Of each kind the command with the newest create stamp that is valid by now. */
function newestValid<C extends Command>(
  received: readonly C[],
  nowNs: bigint,
): ReadonlyMap<Command['kind'], C> {
  const newest = new Map<Command['kind'], C>();
  for (const command of received) {
    if (validAfterOf(command) > nowNs) continue;
    const before = newest.get(command.kind);
    if (before === undefined || createStampOf(command) >= createStampOf(before)) {
      newest.set(command.kind, command);
    }
  }
  return newest;
}

/** Which commands a vehicle obeys. */
export interface VehicleProfile {
  /**
   * The kinds of commands that the vehicle obeys. While it has commands of several kinds, an
   * earlier kind of this list outranks a later one.
   */
  readonly kinds: readonly Command['kind'][];
  /**
   * How long the vehicle obeys a command, ns, from its `valid_after_stamp` on; the vehicle stops
   * after it. Null: it obeys a command until the next one.
   */
  readonly timeoutNs: bigint | null;
}

/** The vehicle of the CPM Lab. */
export const cpmLabVehicle: VehicleProfile = {
  kinds: commandKinds,
  timeoutNs: 1_000_000_000n,
};
