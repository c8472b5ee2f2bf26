// `npm run bench:ros2`: delay of start signals from the transport ros2 to a controller with rclcpp, at
// 50 Hz. Needs a shell in which ROS 2 is sourced. docs/guide/benchmark.md describes the method.

import path from 'node:path';
import process from 'node:process';
import { cmakeBuild } from '../../tools/build-native.mjs';
import { root } from '../../tools/paths.mjs';
import { ros2WorkspaceEnvironment, whyNoRos2InShell } from '../../tools/ros2-workspace.mjs';
import { isolatedNetwork } from '../deployment.mjs';
import { OtherPrograms } from '../other-programs.mjs';
import { describeMachine } from '../../tools/machine.mjs';
import { killAll, plainEnvironment, Program } from '../program.mjs';
import { spreadOf } from '../statistics.mjs';

/**
 * @typedef {{ count: number, p50: number, p99: number, max: number }} Quantiles in µs
 * @typedef {{ start_signals: number, delivery_us: Quantiles, lateness_us: Quantiles }} Report
 * @typedef {Report & { otherShare: number }} Result
 */

const repeat = 3;
const periodMs = 20;
const periods = 1050;
/** Half a second: V8 compiles the most used code in that time. */
const skip = 25;
const labDomain = 40;
const controllerDomain = 41;
const wantedMedianUs = 1000;
/** A program that runs longer has hung. */
const longestMs = 120_000;

/** Numbers of vehicles that send states, at 50 Hz each; every start signal lists all of them. */
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
  const others = new OtherPrograms();
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
  await middleware.untilOutput('waiting for controllers');
  const vehicleProgram = new Program(
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
  await vehicleProgram.untilOutput('states sent');
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
  await vehicleProgram.report();
  if (report.start_signals < periods / 2) {
    throw new Error(
      `Only ${report.start_signals} of ${periods} start signals reached the controller.`,
    );
  }
  return { ...report, otherShare: others.share() };
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
    console.error(`bench: nothing was measured: ${reason}.`);
    return 2;
  }
  cmakeBuild('bench/c', 'build/bench');
  Object.assign(process.env, ros2WorkspaceEnvironment());
  console.log(`machine: ${describeMachine('build/bench')}, ROS 2 ${process.env.ROS_DISTRO ?? ''}`);
  let met = true;
  for (const vehicles of fleets) {
    /** @type {Result[]} */
    const results = [];
    for (let i = 0; i < repeat; i++) results.push(await run(vehicles, plainEnvironment()));
    /** @param {(result: Result) => number} figure */
    const spread = (figure) => milliseconds(results.map(figure));
    const shares = results.map(({ otherShare }) => `${(100 * otherShare).toFixed(0)} %`);
    const signals = results.map(({ start_signals }) => start_signals);
    console.log(`\nvehicles: ${vehicles}, a start signal every ${periodMs} ms:`);
    console.log(`  from the write to the callback       p50 ${spread((r) => r.delivery_us.p50)}`);
    console.log(`                                       p99 ${spread((r) => r.delivery_us.p99)}`);
    console.log(`  from the time named to the callback  p50 ${spread((r) => r.lateness_us.p50)}`);
    console.log(`                                       p99 ${spread((r) => r.lateness_us.p99)}`);
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
