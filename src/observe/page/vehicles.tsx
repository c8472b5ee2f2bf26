import { useEffect, useState } from 'preact/hooks';
import type { VehicleView } from '../live/page-protocol.js';
import { isStale } from './vehicle-state.js';
import { middlewareTime, status, world } from './state.js';

const refreshMs = 500;

interface Row extends VehicleView {
  readonly ageMs: number;
  /** States per second since the last refresh. */
  readonly rate: number;
}

/** Health of the vehicles. */
export function Vehicles() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    let before = new Map<string, number>();
    let beforeAt = performance.now();
    const timer = setInterval(() => {
      const counts = status.value?.statesReceived ?? {};
      const now = middlewareTime();
      setRows((old) => {
        const rates = new Map(old.map(({ id, rate }) => [id, rate]));
        return [...world.vehicles.values()]
          .sort((a, b) => a.id - b.id)
          .map((vehicle) => {
            const count = counts[String(vehicle.id)] ?? 0;
            const last = before.get(String(vehicle.id)) ?? count;
            const seconds = (performance.now() - beforeAt) / 1000;
            const rate = count > last ? (count - last) / seconds : (rates.get(vehicle.id) ?? 0);
            return { ...vehicle, ageMs: Math.max(0, now - vehicle.t), rate };
          });
      });
      // Counts come once per second.
      if (Object.entries(counts).some(([id, count]) => before.get(id) !== count)) {
        before = new Map(Object.entries(counts));
        beforeAt = performance.now();
      }
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
                <td>{row.rate.toFixed(0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
