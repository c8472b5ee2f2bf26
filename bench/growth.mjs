import { run } from './deployment.mjs';
import { leastSquares } from './least-squares.mjs';
import { describeMachine } from '../tools/machine.mjs';
import { markdownTable } from '../tools/markdown-table.mjs';
import { real } from './rows/row.mjs';
import { cpuUsPerPeriod, measuredInterval } from './measured-interval.mjs';

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

/** Equal to the interval between the states of a vehicle: one state per vehicle and period. */
const periodMs = 20;
const mostProcesses = 4;

/**
 * Processor time of a period by fleet size, with a least-squares fit.
 * @returns {Promise<number>} exit code
 */
export async function runGrowth() {
  console.log(`machine: ${describeMachine('build/bench')}`);
  const product = await costs('product');
  const reference = await costs('reference');
  const rows = sizes.map(([v, c]) => [1, v, c, v * c]);
  const fits = { product: leastSquares(rows, product), reference: leastSquares(rows, reference) };
  const headings = ['vehicles', 'controllers', 'middleware', 'fit', 'C reference', 'fit', 'ratio'];
  const cells = sizes.map(([v, c], index) => [
    String(v),
    String(c),
    ...[product, fits.product.fitted, reference, fits.reference.fitted].map(
      (list) => list[index]?.toFixed(0) ?? '',
    ),
    ((product[index] ?? NaN) / (reference[index] ?? NaN)).toFixed(2),
  ]);
  console.log(`\n${markdownTable(headings, cells, new Set(headings.keys()))}`);
  console.log(
    `Processor time of the middleware, µs per period of ${periodMs} ms; v vehicles at 50 Hz, c controllers.`,
  );
  console.log(`middleware:  ${formula(fits.product)}`);
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
    list.push(cpuUsPerPeriod(measuredInterval(await run(load, side))));
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
