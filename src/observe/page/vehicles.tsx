import { useEffect, useState } from 'preact/hooks';
import { type SeenVehicle, seenVehicles, world } from './state.js';

const refreshMs = 500;

/** In place of a number that was true some time ago. */
const outdated = '–';

/** Health of the vehicles. */
export function Vehicles() {
  const [rows, setRows] = useState<readonly SeenVehicle[]>([]);
  useEffect(() => {
    const timer = setInterval(() => {
      setRows(seenVehicles().sort((a, b) => a.vehicle.id - b.vehicle.id));
    }, refreshMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-label="Vehicles">
      <h2>Vehicles</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>id</th>
              <th>speed m/s</th>
              <th>battery V</th>
              <th>pose age ms</th>
              <th>state age ms</th>
              <th>states/s</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <VehicleRow key={row.vehicle.id} {...row} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function VehicleRow({ vehicle, ageMs, isOld }: SeenVehicle) {
  const { id, speed, battery, poseAgeMs } = vehicle;
  const age = ageMs.toFixed(0);
  return (
    <tr data-testid={`vehicle-${id}`}>
      <td>
        {id}
        {(vehicle.x === null || vehicle.y === null) && ', place unknown'}
      </td>
      <td>{isOld ? outdated : shown(speed, 2)}</td>
      <td>{shown(battery, 1)}</td>
      <td>{isOld ? outdated : poseAgeMs.toFixed(0)}</td>
      <td class={isOld ? 'warn' : ''}>{isOld ? `stale, ${age}` : age}</td>
      <td>{isOld ? outdated : (world.rates.get(String(id)) ?? 0).toFixed(0)}</td>
    </tr>
  );
}

function shown(value: number | null, digits: number): string {
  return value === null ? 'unknown' : value.toFixed(digits);
}
