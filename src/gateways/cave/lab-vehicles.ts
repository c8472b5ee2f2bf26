import { toS } from '../../core/index.js';
import type { VehicleState } from '../../messages/index.js';
import type { Vehicles } from '../../sides/index.js';
import { publishUnseen } from '../publish-unseen.js';
import type { Element, LabVehicle } from './protocol/elements.js';

/** A vehicle of a client in the lab. */
interface ClientVehicle {
  readonly vehicleId: number;
  element: Element;
  /** Metres. */
  distance: number;
}

/** The vehicles of CAVE clients, as vehicles of the lab: each has an id as long as it exists. */
export class ClientVehicles {
  readonly #free: number[];
  readonly #byKey = new Map<string, ClientVehicle>();

  /** @param ids Vehicle ids, 0 to 255, each once. */
  constructor(ids: readonly number[]) {
    this.#free = [...ids];
  }

  /** @returns its vehicle id; undefined when none is left. */
  add(element: Element): number | undefined {
    const vehicleId = this.#free.shift();
    if (vehicleId === undefined) return undefined;
    this.#byKey.set(keyOf(element), { vehicleId, element, distance: 0 });
    return vehicleId;
  }

  move(element: Element): ClientVehicle | undefined {
    const known = this.#byKey.get(keyOf(element));
    if (known === undefined) return undefined;
    const [from, to] = [known.element.vehicle?.pose, element.vehicle?.pose];
    if (from !== undefined && to !== undefined) {
      known.distance += Math.hypot(to.x - from.x, to.y - from.y);
    }
    known.element = element;
    return known;
  }

  /** @returns the id that is free again; it is given out after all others. */
  remove(element: Element): number | undefined {
    const known = this.#byKey.get(keyOf(element));
    if (known === undefined) return undefined;
    this.#byKey.delete(keyOf(element));
    this.#free.push(known.vehicleId);
    return known.vehicleId;
  }

  get all(): readonly ClientVehicle[] {
    return [...this.#byKey.values()];
  }
}

/** Publishes the state of a vehicle of a client. */
export function publishClientVehicle(
  vehicles: Pick<Vehicles, 'publish'>,
  { vehicleId, element, distance }: ClientVehicle,
): void {
  const { vehicle } = element;
  if (vehicle === undefined) return;
  publishUnseen(vehicles, { vehicleId, ...vehicle, distance });
}

/** The element of a lab vehicle; its time is that of its state, in seconds. */
export function labVehicleOf(state: VehicleState, wheelbase: number): LabVehicle {
  const createNs = state.header.create_stamp.nanoseconds;
  const seconds = toS(createNs);
  return {
    vehicleId: state.vehicle_id,
    unixTime: seconds,
    chTime: seconds,
    wheelbase,
    pose: state.pose,
    speed: state.speed,
  };
}

function keyOf({ connectionNumber, idNumber }: Element): string {
  return `${connectionNumber} ${idNumber}`;
}
