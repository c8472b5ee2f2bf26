// `npm run bench:ros2`: how start signals over the transport ros2 reach a controller with rclcpp, at
// 50 Hz. Needs a shell in which ROS 2 is sourced. What is measured how: docs/reference/performance.md.

import path from 'node:path';
import process from 'node:process';
import { cmakeBuild } from '../../tools/build-native.mjs';
import { root } from '../../tools/paths.mjs';
import { ros2WorkspaceEnvironment, whyNoRos2InShell } from '../../tools/ros2-workspace.mjs';
import { isolatedNetwork } from '../deployment.mjs';
import { ForeignLoad } from '../foreign-load.mjs';
import { describeMachine } from '../machine.mjs';
import { killAll, plainEnvironment, Program } from '../program.mjs';
import { spreadOf } from '../statistics.mjs';

/**
 * @typedef {{ count: number, p50: number, p99: number, max: number }} Quantiles in µs
 * @typedef {{ start_signals: number, delivery_us: Quantiles, lateness_us: Quantiles }} Report
 * @typedef {Report & { foreignShare: number }} Result
 */

const repeat = 3;
const periodMs = 20;
const periods = 1050;
/** Half a second, in which V8 compiles the code that is used most. */
const skip = 25;
const labDomain = 40;
const controllerDomain = 41;
const wantedMedianUs = 1000;
/** A program that is not done by then has hung. */
const longestMs = 120_000;

/** How many vehicles tell their states, at 50 Hz each; all are in every start signal. */
const fleets = [1, 20];

/**
 * @param {number} vehicles
 * @param {NodeJS.ProcessEnv} environment with ROS 2
 * @returns {Promise<Result>}
 */
async function run(vehicles, environment) {
  const env = {
    ...environment,
    CYCLONEDDS_URI: isolatedNetwork(),
    RMW_IMPLEMENTATION: 'rmw_cyclonedds_cpp',
    ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
    ROS_DOMAIN_ID: String(controllerDomain),
  };
  const ids = Array.from({ length: vehicles }, (_, index) => index + 1).join(',');
  const others = new ForeignLoad();
  const middleware = new Program(
    'the middleware',
    [
      process.execPath,
      ...[path.join(root, 'dist/cli/main.js'), 'run', '--controller-transport=ros2'],
      ...['--vehicle-ids=1', `--active-vehicle-ids=${ids}`, `--dds-domain=${labDomain}`],
      ...[`--period-ms=${periodMs}`, `--periods=${periods}`, '--wait-for-start=false'],
      ...['--resume=auto', '--table=off', '--log-format=json', '--control-socket=off'],
    ],
    env,
    longestMs,
  );
  await middleware.untilSays('waiting for controllers');
  const told = new Program(
    'the vehicles',
    [
      path.join(root, 'build/bench/vehicles'),
      `--vehicle-ids=${ids}`,
      `--domain=${labDomain}`,
      '--rate-hz=50',
    ],
    env,
    longestMs,
  );
  await told.untilSays('states told');
  const listener = new Program(
    'the controller',
    [
      path.join(root, 'build/ros2-workspace/install/lib/hlc_bench/start_signals'),
      '--ros-args',
      '-p',
      `skip:=${skip}`,
    ],
    env,
    longestMs,
  );
  await middleware.untilDone();
  const report = /** @type {Report} */ (await listener.report());
  await told.report();
  if (report.start_signals < periods / 2) {
    throw new Error(
      `Only ${report.start_signals} of ${periods} start signals reached the controller.`,
    );
  }
  return { ...report, foreignShare: others.share() };
}

/** @param {readonly number[]} values in µs */
function milliseconds(values) {
  const { median, least, most } = spreadOf(values);
  const [middle, from, to] = [median, least, most].map((us) => (us / 1000).toFixed(3));
  return `${middle} ms (${from}–${to})`;
}

async function bench() {
  const reason = whyNoRos2InShell();
  if (reason !== undefined) {
    console.error(`bench: not measured, since ${reason}.`);
    return 2;
  }
  cmakeBuild('bench/c', 'build/bench');
  Object.assign(process.env, ros2WorkspaceEnvironment());
  console.log(`machine: ${describeMachine()}, ROS 2 ${process.env.ROS_DISTRO ?? ''}`);
  let met = true;
  for (const vehicles of fleets) {
    /** @type {Result[]} */
    const results = [];
    for (let i = 0; i < repeat; i++) results.push(await run(vehicles, plainEnvironment()));
    /** @param {(result: Result) => number} figure */
    const told = (figure) => milliseconds(results.map(figure));
    const shares = results.map(({ foreignShare }) => `${(100 * foreignShare).toFixed(0)} %`);
    const signals = results.map(({ start_signals }) => start_signals);
    console.log(`\nvehicles: ${vehicles}, a start signal every ${periodMs} ms:`);
    console.log(`  from the write to the callback       p50 ${told((r) => r.delivery_us.p50)}`);
    console.log(`                                       p99 ${told((r) => r.delivery_us.p99)}`);
    console.log(`  from the time named to the callback  p50 ${told((r) => r.lateness_us.p50)}`);
    console.log(`                                       p99 ${told((r) => r.lateness_us.p99)}`);
    console.log(`  start signals of ${periods}: ${signals.join(', ')}`);
    console.log(`  other programs took ${shares.join(', ')} of one core`);
    met &&= spreadOf(results.map((r) => r.lateness_us.p50)).median < wantedMedianUs;
  }
  console.log(`\nMedians of ${repeat} runs, least and most in brackets.`);
  console.log(`Below 1 ms from the time named, p50: ${met ? 'yes' : 'no'}`);
  return 0;
}

process.on('exit', killAll);
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.on(signal, () => process.exit(code));
}

process.exitCode = await bench();
