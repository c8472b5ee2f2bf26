import { run } from './deployment.mjs';
import { leastSquares } from './least-squares.mjs';
import { describeMachine } from '../tools/machine.mjs';
import { simulated } from './rows/row.mjs';
import { spreadOf } from './statistics.mjs';
import { measuredInterval } from './measured-interval.mjs';

const steps = 1_000_000;
/** V8 compiles the used code and sizes its heap in these steps. */
const warmUp = 100_000;
/** Memory may grow by this much over the counted steps, 10^6 bytes. */
const mostGrowthMb = 10;
/** Parts of the run whose medians are compared; an even number. */
const parts = 10;
const longestMs = 900_000;

/**
 * Whether the memory of the middleware stays flat over 10^6 steps of simulated time.
 * @returns {Promise<number>} exit code
 */
export async function runEndurance() {
  console.log(`machine: ${describeMachine('build/bench')}`);
  console.error(
    `bench: ${warmUp} steps to warm up, then ${steps} measured steps, with 1 controller and 20 vehicles`,
  );
  const load = simulated({
    controllers: 1,
    processes: 1,
    vehicles: 20,
    periods: warmUp + steps + 1,
    skip: warmUp,
  });
  const measurement = await run(load, 'product', { longestMs });
  const { usages, from, to, periods } = measuredInterval(measurement);
  const resident = usages.map(({ residentMb }) => residentMb);
  // The step rate is constant, so the number of steps follows from the time.
  const done = usages.map(({ atNs }) => (periods * (atNs - from.atNs)) / (to.atNs - from.atNs));
  const { coefficients, residual } = leastSquares(
    done.map((step) => [1, step / steps]),
    resident,
  );
  const [start = NaN, growth = NaN] = coefficients;
  console.log(
    `${measurement.startSignalsPerSecond.toFixed(0)} steps/s; resident memory ${Math.min(...resident).toFixed(1)} to ${Math.max(...resident).toFixed(1)} MB in ${resident.length} samples`,
  );
  console.log(
    `${start.toFixed(1)} MB ${growth < 0 ? '−' : '+'} ${Math.abs(growth).toFixed(2)} MB per 10⁶ steps; residual ${residual.toFixed(2)} MB (root mean square)`,
  );
  const medians = mediansOf(resident);
  console.log(
    `medians of the tenths of the run: ${medians.map((mb) => mb.toFixed(1)).join(', ')} MB`,
  );
  // V8 gives tens of megabytes back at times and takes them again, so heights are compared, not depths.
  const rise = Math.max(...medians.slice(parts / 2)) - Math.max(...medians.slice(0, parts / 2));
  const flat = growth <= mostGrowthMb && rise <= mostGrowthMb;
  console.log(
    `${flat ? 'flat' : 'NOT flat'}: neither the line nor, from half to half, the highest tenth may rise by more than ${mostGrowthMb} MB`,
  );
  return flat ? 0 : 1;
}

/**
 * @param {readonly number[]} values in the order of time
 * @returns {number[]} one for each part
 */
function mediansOf(values) {
  const bounds = Array.from({ length: parts + 1 }, (_, i) =>
    Math.round((i * values.length) / parts),
  );
  return bounds.slice(1).map((to, index) => spreadOf(values.slice(bounds[index] ?? 0, to)).median);
}
