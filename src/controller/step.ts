import { nsPerMs } from '../core/index.js';
import type { VehicleObservation, VehicleState, VehicleStateList } from '../messages/index.js';

/** One computation of a controller: what is known at the start of a period. */
export interface Step {
  /** Start of the period, nanoseconds since 1970, or of the simulated time. Use it as "now". */
  readonly tNowNs: bigint;
  /** Length of a period, nanoseconds; the wire carries whole milliseconds. */
  readonly periodNs: bigint;
  /**
   * The newest state of each active vehicle, by vehicle id. A vehicle without a state is
   * not in it. Age: `tNowNs` − `header.create_stamp`; vehicles of the CPM Lab make it at least 60 ms.
   */
  readonly vehicles: ReadonlyMap<number, VehicleState>;
  /** The newest pose of each active vehicle as the positioning system saw it, by vehicle id. */
  readonly observations: ReadonlyMap<number, VehicleObservation>;
  /** Ids of all vehicles that take part, with a state or without. */
  readonly activeVehicleIds: readonly number[];
  /**
   * Fires when the plan is of no use any more: the next start signal came, the lab stopped, or the
   * controller was closed. Its reason is a {@link StepAborted}.
   */
  readonly signal: AbortSignal;
}

/** Why a step was given up: reason of {@link Step.signal}. */
export class StepAborted extends Error {
  override readonly name = 'AbortError';

  constructor(readonly reason: 'overrun' | 'stop' | 'closed') {
    super(
      {
        overrun: 'The next start signal came before the plan was done.',
        stop: 'The lab was stopped.',
        closed: 'The controller was closed.',
      }[reason],
    );
  }
}

/** Reads a start signal. Entries with create_stamp 0 stand for vehicles without a state (CPM Lab). */
export function stepFrom(list: VehicleStateList, signal: AbortSignal): Step {
  return {
    tNowNs: list.t_now,
    periodNs: list.period_ms * nsPerMs,
    vehicles: byVehicle(list.state_list),
    observations: byVehicle(list.vehicle_observation_list),
    activeVehicleIds: list.active_vehicle_ids,
    signal,
  };
}

function byVehicle<T extends VehicleObservation | VehicleState>(entries: readonly T[]) {
  return new Map(
    entries
      .filter((entry) => entry.header.create_stamp.nanoseconds !== 0n)
      .map((entry) => [entry.vehicle_id, entry]),
  );
}
