import { run } from './deployment.mjs';
import { leastSquares } from './least-squares.mjs';
import { describeMachine } from './machine.mjs';
import { alignedTable } from './report.mjs';
import { real } from './rows/row.mjs';
import { cpuUsPerPeriod, steadyPart } from './steady.mjs';

/** @import { Side } from './load.mjs' */

/** Vehicles and controllers; a controller is always that of a vehicle. */
const sizes = /** @type {const} */ ([
  [1, 1],
  [20, 1],
  [100, 1],
  [255, 1],
  [20, 16],
  [100, 16],
  [255, 16],
  [100, 64],
  [255, 64],
]);

/** As long as the interval between the states of a vehicle, so that each is told once in a period. */
const periodMs = 20;
const mostProcesses = 4;

/**
 * What a period costs the middleware in processor time as the fleet grows, and the plane that fits it.
 * @returns {Promise<number>} exit code
 */
export async function runGrowth() {
  console.log(`machine: ${describeMachine()}`);
  const ours = await costs('ours');
  const reference = await costs('reference');
  const rows = sizes.map(([v, c]) => [1, v, c, v * c]);
  const fits = { ours: leastSquares(rows, ours), reference: leastSquares(rows, reference) };
  const headings = ['vehicles', 'controllers', 'ours', 'fit', 'C reference', 'fit', 'ratio'];
  const cells = sizes.map(([v, c], index) => [
    String(v),
    String(c),
    ...[ours, fits.ours.fitted, reference, fits.reference.fitted].map(
      (list) => list[index]?.toFixed(0) ?? '',
    ),
    ((ours[index] ?? NaN) / (reference[index] ?? NaN)).toFixed(2),
  ]);
  console.log(`\n${alignedTable(headings, cells, new Set())}\n`);
  console.log(
    `Processor time of the middleware, µs per period of ${periodMs} ms; v vehicles at 50 Hz, c controllers.`,
  );
  console.log(`ours:        ${formula(fits.ours)}`);
  console.log(`C reference: ${formula(fits.reference)}`);
  return 0;
}

/**
 * @param {Side} side
 * @returns {Promise<number[]>} µs per period, one for each size
 */
async function costs(side) {
  /** @type {number[]} */
  const list = [];
  for (const [vehicles, controllers] of sizes) {
    console.error(`bench: ${side}, ${vehicles} vehicles, ${controllers} controllers`);
    const processes = Math.min(controllers, mostProcesses);
    const load = real({ controllers, processes, vehicles, periodMs, periods: 300, skip: 100 });
    list.push(cpuUsPerPeriod(steadyPart(await run(load, side))));
  }
  return list;
}

/** @param {ReturnType<typeof leastSquares>} fit */
function formula({ coefficients, residual }) {
  const terms = ['', ' v', ' c', ' v c'].map((name, index) => {
    const value = coefficients[index] ?? NaN;
    const sign = value < 0 ? '− ' : '+ ';
    return `${index === 0 && value >= 0 ? '' : sign}${Math.abs(value).toPrecision(3)}${name}`;
  });
  return `${terms.join(' ')} µs; residual ${residual.toFixed(1)} µs (root mean square)`;
}
