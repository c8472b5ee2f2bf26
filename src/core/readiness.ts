import { HlcError } from '../errors/index.js';

/** Highest vehicle id: `vehicle_id` is an octet (CPM Lab wire contract). */
export const maxVehicleId = 255;

/** Maximum number of remembered unknown sources; further ones are not reported. */
const maxUnknown = 256;

/** The barrier: it opens when every listed controller is ready. It does not wait for admitted ones. */
export class Readiness {
  readonly #listed: ReadonlySet<number>;
  readonly #missing: Set<number>;
  readonly #unknown = new Set<string>();

  /** @param ids as {@link assignedIds} returns them. */
  constructor(ids: readonly number[]) {
    this.#listed = new Set(ids);
    this.#missing = new Set(ids);
  }

  /** True when no controller is missing. */
  get complete(): boolean {
    return this.#missing.size === 0;
  }

  /** Ids that no ready signal came from, ascending. */
  missing(): number[] {
    return [...this.#missing].sort((a, b) => a - b);
  }

  /** A controller is ready; true when it was waited for. */
  ready(id: number): boolean {
    return this.#missing.delete(id);
  }

  /** A controller is gone again: a listed one is waited for. */
  withdraw(id: number): void {
    if (this.#listed.has(id)) this.#missing.add(id);
  }

  /** True for the first ready signal of a source that is no controller of this run, to be reported. */
  isFirstOf(sourceId: string): boolean {
    if (this.#unknown.has(sourceId) || this.#unknown.size >= maxUnknown) return false;
    this.#unknown.add(sourceId);
    return true;
  }
}

/** The `source_id` of a controller's ready signal (CPM Lab wire contract). */
export function controllerSourceId(vehicleId: number): string {
  return `hlc_${vehicleId}`;
}

/**
 * The vehicle id in the ready signal of a controller: `hlc_<id>`, decimal, 0 to 255, without
 * leading zeros (CPM Lab wire contract); null for any other text.
 */
export function controllerIdOf(sourceId: string): number | null {
  const digits = /^hlc_(0|[1-9]\d{0,2})$/.exec(sourceId)?.[1];
  const id = Number(digits ?? -1);
  return id >= 0 && id <= maxVehicleId ? id : null;
}

/**
 * The ids of the assigned controllers, ascending, each once.
 * @throws HlcError `HLC_VEHICLE_IDS` when there is none, or one is not a
 *   whole number from 0 to 255.
 */
export function assignedIds(ids: Iterable<number>): number[] {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const wrong = sorted.find((id) => !Number.isInteger(id) || id < 0 || id > maxVehicleId);
  if (sorted.length === 0 || wrong !== undefined) {
    throw new HlcError('HLC_VEHICLE_IDS', { ids: sorted });
  }
  return sorted;
}
