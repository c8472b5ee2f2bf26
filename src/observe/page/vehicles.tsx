import { useEffect, useState } from 'preact/hooks';
import type { VehicleView } from '../live/page-protocol.js';
import { isStale } from './vehicle-state.js';
import { middlewareTime, world } from './state.js';

const refreshMs = 500;

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
              <tr key={row.id} data-testid={`vehicle-${row.id}`}>
                <td>{row.id}</td>
                <td>{row.speed.toFixed(2)}</td>
                <td>{row.battery.toFixed(1)}</td>
                <td>{row.poseAgeMs.toFixed(0)}</td>
                <td class={isStale(row.ageMs) ? 'warn' : ''}>
                  {isStale(row.ageMs) ? `stale, ${row.ageMs.toFixed(0)}` : row.ageMs.toFixed(0)}
                </td>
                <td>{(world.rates.get(String(row.id)) ?? 0).toFixed(0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
