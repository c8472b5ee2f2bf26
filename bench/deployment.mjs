import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { ForeignLoad } from './foreign-load.mjs';
import { plainEnvironment, Program } from './program.mjs';

/** @import { Usage } from './program.mjs' */

/**
 * Which program stands in the middle.
 * @typedef {'ours' | 'reference'} Side
 */

/**
 * A whole deployment under load.
 * @typedef {object} Load
 * @property {'simulated' | 'real'} time
 * @property {number} controllers for the vehicles 1 to n
 * @property {number} processes in which the controllers run
 * @property {number} vehicles listed in each start signal; in real time they tell their state at 50 Hz
 * @property {number} points of each trajectory
 * @property {number} periodMs
 * @property {number} periods start signals in a run
 * @property {number} skip start signals at the beginning that are not measured
 */

/**
 * What one run has shown. Quantiles are of one run; of several controllers the worst counts.
 * @typedef {object} Measurement
 * @property {number} startupMs from the start of the process to its waiting for controllers
 * @property {number} startSignalsPerSecond as the first controller saw them
 * @property {number} skippedPeriods periods without a start signal; the references do not skip any
 * @property {number} latenessP99Us from the time that a start signal names to its arrival
 * @property {number} forwardedP50Us from a controller's write of a command to the middleware's
 * @property {number} arrivedP50Us from a controller's write of a command to its arrival at the vehicles
 * @property {number} peakResidentMb of the middleware
 * @property {number} foreignShare of one core, by programs that are not of this run
 * @property {number} cpuShare of one core, by the middleware, while it ran steadily; 0 to the number of cores
 */

/**
 * @typedef {{ count: number, p50: number, p99: number, max: number }} Quantiles
 * @typedef {{ start_signals: number, gaps: number, per_second: number, lateness_us: Quantiles }} ControllerReport
 * @typedef {{ commands: number, forwarded_us: Quantiles, arrived_us: Quantiles }} VehiclesReport
 */

/** Domains that few use, so that nobody else's traffic comes to our sockets. */
const labDomain = 40;
const controllerDomain = 41;
const usageIntervalMs = 200;
const vehicleRateHz = 50;

/** Loopback without multicast, apart from everybody else: the same for all programs of a run. */
function network() {
  return (
    '<CycloneDDS><Domain Id="any">' +
    '<General><AllowMulticast>false</AllowMulticast>' +
    '<Interfaces><NetworkInterface name="lo"/></Interfaces></General>' +
    '<Discovery><Peers><Peer Address="127.0.0.1"/></Peers>' +
    '<ParticipantIndex>auto</ParticipantIndex>' +
    '<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>' +
    `<Tag>${randomUUID()}</Tag></Discovery></Domain></CycloneDDS>`
  );
}

/**
 * Runs a deployment once.
 * @param {Load} load
 * @param {Side} side
 * @returns {Promise<Measurement>}
 * @throws {Error} when a program fails, or when messages are missing
 */
export async function run(load, side) {
  const env = { ...plainEnvironment(), CYCLONEDDS_URI: network() };
  /** @type {Program[]} */
  const programs = [];
  /** @type {(reason: Error) => void} */
  let giveUp = () => undefined;
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => {
    giveUp = reject;
  });
  const start = (/** @type {string} */ name, /** @type {string[]} */ command) => {
    const program = new Program(name, command[0] ?? '', command.slice(1), env);
    programs.push(program);
    // The others would wait for it for ever.
    program.untilDone().catch(giveUp);
    return program;
  };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hlc-bench-'));
  try {
    const summary = path.join(folder, 'summary.json');
    return await Promise.race([failure, measure(load, side, summary, start)]);
  } finally {
    for (const program of programs) program.kill();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {Load} load
 * @param {Side} side
 * @param {string} summary file for the summary of our middleware
 * @param {(name: string, command: string[]) => Program} start
 * @returns {Promise<Measurement>}
 */
async function measure(load, side, summary, start) {
  const others = new ForeignLoad();
  const middleware = start('the middleware', middlewareCommand(load, side, summary));
  const startupMs = await middleware.untilSays('waiting for controllers');
  const vehicles = start('the vehicles', vehiclesCommand(load));
  await vehicles.untilSays('states told');
  const controllers = controllerCommands(load).map((command) => start('a controller', command));
  const usages = await watch(middleware);
  const [received, ...told] = await Promise.all([
    /** @type {Promise<VehiclesReport>} */ (vehicles.report()),
    ...controllers.map(
      (controller) => /** @type {Promise<ControllerReport>} */ (controller.report()),
    ),
  ]);
  checkComplete(load, told, received);
  return {
    startupMs,
    startSignalsPerSecond: told[0]?.per_second ?? NaN,
    skippedPeriods: side === 'ours' ? skippedPeriods(summary) : 0,
    latenessP99Us: Math.max(...told.map(({ lateness_us }) => lateness_us.p99)),
    forwardedP50Us: received.forwarded_us.p50,
    arrivedP50Us: received.arrived_us.p50,
    peakResidentMb: usages.at(-1)?.peakResidentMb ?? NaN,
    cpuShare: cpuShare(usages),
    foreignShare: others.share(),
  };
}

/** @param {string} summary file */
function skippedPeriods(summary) {
  /** @type {unknown} */
  const content = JSON.parse(readFileSync(summary, 'utf8'));
  return /** @type {{ skipped_periods: number }} */ (content).skipped_periods;
}

/**
 * @param {Load} load
 * @param {Side} side
 * @param {string} summary file
 */
function middlewareCommand(load, side, summary) {
  const common = [
    `--vehicle-ids=${ids(load.controllers)}`,
    `--dds-domain=${labDomain}`,
    `--domain-number=${controllerDomain}`,
    `--period-ms=${load.periodMs}`,
    `--periods=${load.periods}`,
  ];
  if (side !== 'ours') {
    const reference = load.time === 'simulated' ? 'lockstep-reference' : 'realtime-reference';
    return [binary(reference), ...common, `--vehicles=${load.vehicles}`];
  }
  return [
    process.execPath,
    path.join(root, 'dist/cli/main.js'),
    'run',
    ...common,
    `--active-vehicle-ids=${ids(load.vehicles)}`,
    ...(load.time === 'simulated'
      ? ['--simulated-time', '--time-source=self']
      : // A controller that is starved for a while stays in the measurement.
        ['--wait-for-start=false', '--resume=auto']),
    `--summary=${summary}`,
    '--table=off',
    '--log-format=json',
  ];
}

/** @param {Load} load */
function vehiclesCommand(load) {
  const rate = load.time === 'real' ? vehicleRateHz : 0;
  return [
    binary('vehicles'),
    `--vehicle-ids=${ids(load.vehicles)}`,
    `--domain=${labDomain}`,
    `--rate-hz=${rate}`,
  ];
}

/**
 * One command per process; the controllers are dealt out in turn.
 * @param {Load} load
 */
function controllerCommands(load) {
  return Array.from({ length: load.processes }, (_, process_) => {
    const own = listOfIds(load.controllers).filter((id) => id % load.processes === process_);
    return [
      binary('controller'),
      `--vehicle-ids=${own.join(',')}`,
      `--domain=${controllerDomain}`,
      `--points=${load.points}`,
      `--vehicles=${load.vehicles}`,
      `--period-ns=${load.periodMs * 1_000_000}`,
      `--skip=${load.skip}`,
      `--stamp-clock=${load.time === 'real' ? 1 : 0}`,
    ];
  });
}

/**
 * Looks at a program from time to time until it is done.
 * @param {Program} program
 * @returns {Promise<Usage[]>}
 */
async function watch(program) {
  /** @type {Usage[]} */
  const usages = [];
  const look = () => {
    const usage = program.usage();
    if (usage !== undefined) usages.push(usage);
  };
  look();
  const timer = setInterval(look, usageIntervalMs);
  try {
    await program.untilDone();
  } finally {
    clearInterval(timer);
  }
  return usages;
}

/**
 * Over the second half of the time that was watched, when all have started.
 * @param {readonly Usage[]} usages
 */
function cpuShare(usages) {
  const from = usages[Math.floor(usages.length / 2)];
  const to = usages.at(-1);
  if (from === undefined || to === undefined || from === to) return NaN;
  return (to.cpuMs - from.cpuMs) / (to.atMs - from.atMs);
}

/**
 * A figure counts only when the work was done: in simulated time every start signal reached every
 * controller, and every answer reached the vehicles.
 * @param {Load} load
 * @param {readonly ControllerReport[]} told
 * @param {VehiclesReport} received
 */
function checkComplete(load, told, received) {
  if (load.time !== 'simulated') return;
  const commands = load.periods * load.controllers;
  const incomplete = told.filter(
    ({ start_signals, gaps }) => start_signals !== load.periods || gaps > 0,
  );
  if (incomplete.length > 0) {
    throw new Error(
      `${incomplete.length} of ${told.length} controllers did not see all ${load.periods} steps.`,
    );
  }
  if (received.commands !== commands) {
    throw new Error(`The vehicles received ${received.commands} of ${commands} commands.`);
  }
}

/** @param {string} name */
function binary(name) {
  return path.join(root, 'build/bench', name);
}

/** @param {number} count */
function listOfIds(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** @param {number} count */
function ids(count) {
  return listOfIds(count).join(',');
}
