import type { NeighborList, VehicleStateList } from '../../../messages/index.js';

/** The vehicles that the radio of a vehicle reaches, and itself. */
export function reachedBy({ vehicle_id: id, neighbors }: NeighborList): ReadonlySet<number> {
  return new Set([id, ...neighbors.map((neighbor) => neighbor.vehicle_id)]);
}

/** A start signal with these vehicles only. */
export function visibleList(
  list: VehicleStateList,
  visible: ReadonlySet<number>,
): VehicleStateList {
  return {
    ...list,
    state_list: list.state_list.filter(({ vehicle_id: id }) => visible.has(id)),
    vehicle_observation_list: list.vehicle_observation_list.filter(({ vehicle_id: id }) =>
      visible.has(id),
    ),
    active_vehicle_ids: list.active_vehicle_ids.filter((id) => visible.has(id)),
  };
}
