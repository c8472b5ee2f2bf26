import { useEffect, useState } from 'preact/hooks';
import type { VehicleView } from '../live/page-protocol.js';
import { isStale } from './vehicle-state.js';
import { isCurrent, middlewareTime, world } from './state.js';

const refreshMs = 500;

/** In place of a number that was true some time ago. */
const unknown = '–';

interface Row extends VehicleView {
  readonly ageMs: number;
}

/** Health of the vehicles. */
export function Vehicles() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = middlewareTime();
      const vehicles = [...world.vehicles.values()].sort((a, b) => a.id - b.id);
      setRows(vehicles.map((each) => ({ ...each, ageMs: Math.max(0, now - each.t) })));
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
              <VehicleRow key={row.id} row={row} isOld={!isCurrent() || isStale(row.ageMs)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function VehicleRow({ row, isOld }: { readonly row: Row; readonly isOld: boolean }) {
  return (
    <tr data-testid={`vehicle-${row.id}`}>
      <td>{row.id}</td>
      <td>{isOld ? unknown : row.speed.toFixed(2)}</td>
      <td>{row.battery.toFixed(1)}</td>
      <td>{isOld ? unknown : row.poseAgeMs.toFixed(0)}</td>
      <td class={isOld ? 'warn' : ''}>
        {isOld ? `stale, ${row.ageMs.toFixed(0)}` : row.ageMs.toFixed(0)}
      </td>
      <td>{isOld ? unknown : (world.rates.get(String(row.id)) ?? 0).toFixed(0)}</td>
    </tr>
  );
}
