import { run } from './deployment.mjs';
import { leastSquares } from './least-squares.mjs';
import { describeMachine } from './machine.mjs';
import { simulated } from './rows/row.mjs';
import { spreadOf } from './statistics.mjs';
import { steadyPart } from './steady.mjs';

const steps = 1_000_000;
/** In that time V8 compiles what is used, and its heap finds its size. */
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
  console.log(`machine: ${describeMachine()}`);
  console.error(`bench: ${steps} steps with 1 controller and 20 vehicles, and ${warmUp} before`);
  const load = simulated({
    controllers: 1,
    processes: 1,
    vehicles: 20,
    periods: warmUp + steps + 1,
    skip: warmUp,
  });
  const measurement = await run(load, 'ours', { longestMs });
  const { usages, from, to, periods } = steadyPart(measurement);
  const resident = usages.map(({ residentMb }) => residentMb);
  // Steps go at a steady rate, so the time tells how far they are.
  const done = usages.map(({ atNs }) => (periods * (atNs - from.atNs)) / (to.atNs - from.atNs));
  const { coefficients, residual } = leastSquares(
    done.map((step) => [1, step / steps]),
    resident,
  );
  const [start = NaN, growth = NaN] = coefficients;
  console.log(
    `${measurement.startSignalsPerSecond.toFixed(0)} steps/s; resident memory ${Math.min(...resident).toFixed(1)} to ${Math.max(...resident).toFixed(1)} MB in ${resident.length} looks`,
  );
  console.log(
    `${start.toFixed(1)} MB ${growth < 0 ? '−' : '+'} ${Math.abs(growth).toFixed(2)} MB per 10⁶ steps; residual ${residual.toFixed(2)} MB (root mean square)`,
  );
  const medians = mediansOf(resident);
  console.log(`medians of its tenths: ${medians.map((mb) => mb.toFixed(1)).join(', ')} MB`);
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
