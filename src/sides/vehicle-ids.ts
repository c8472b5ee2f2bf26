import { maxVehicleId } from '../core/index.js';

/** True for at least one vehicle id, each once, whole numbers from 0 to 255. */
export function areVehicleIds(ids: readonly number[]): boolean {
  const isId = (id: number) => Number.isInteger(id) && id >= 0 && id <= maxVehicleId;
  return ids.length > 0 && ids.every(isId) && new Set(ids).size === ids.length;
}
