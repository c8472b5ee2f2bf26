import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  busyCommand,
  controllerCommands,
  middlewareCommand,
  vehiclesCommand,
} from './commands.mjs';
import { OtherPrograms } from './other-programs.mjs';
import { plainEnvironment, Program } from './program.mjs';
import { usagesWithin } from './measured-interval.mjs';
import { cpuNsBetween } from './usage.mjs';

/** @import { Slice } from './alternation.mjs' */
/** @import { Load, Side } from './load.mjs' */
/** @import { Usage } from './usage.mjs' */

/**
 * Results of one run. Quantiles are those of the run; with several controllers the worst one counts.
 * @typedef {object} Measurement
 * @property {number} startupMs from the start of the process to its waiting for controllers
 * @property {number} startSignalsPerSecond as the first controller received them
 * @property {number} stepP50Us from one start signal to the next, as the first controller received them
 * @property {number} skippedPeriods periods without a start signal; the references do not skip any
 * @property {number} latenessP99Us from the time that a start signal names to its arrival
 * @property {number} forwardedP50Us from a controller's write of a command to the middleware's
 * @property {number} arrivedP50Us from a controller's write of a command to its arrival at the vehicles
 * @property {number} peakResidentMb of the middleware
 * @property {number} cpuShare of one core, used by the middleware in the second half of the counted part; 0 to the number of cores
 * @property {number} answerP99Us from a packet of a CAVE client to the end of its answer
 * @property {number} otherShare of one core, used by programs outside this run
 * @property {readonly Usage[]} usages of the middleware, in the order of time
 * @property {Counted} counted
 * @property {readonly Slice[]} [slices] of a run whose companions run in turn
 */

/**
 * The counted start signals, as the first controller received them.
 * @typedef {object} Counted
 * @property {number} fromNs when the first came, on the monotonic clock
 * @property {number} toNs when the last came
 * @property {number} periods from the first to the last
 */

/**
 * Settings of the product beside those of the load.
 * @typedef {object} Manner
 * @property {readonly string[]} [nodeFlags]
 * @property {string} [script] relative to the project; default: the program
 * @property {NodeJS.ProcessEnv} [environment]
 * @property {number} [longestMs] a longer run has hung
 */

/** A measurement of nothing yet. @type {Omit<Measurement, 'otherShare'>} */
export const unmeasured = {
  startupMs: NaN,
  startSignalsPerSecond: NaN,
  stepP50Us: NaN,
  skippedPeriods: 0,
  latenessP99Us: NaN,
  forwardedP50Us: NaN,
  arrivedP50Us: NaN,
  peakResidentMb: NaN,
  cpuShare: NaN,
  answerP99Us: NaN,
  usages: [],
  counted: { fromNs: NaN, toNs: NaN, periods: NaN },
};

/**
 * @typedef {{ count: number, p50: number, p99: number, max: number }} Quantiles
 * @typedef {object} ControllerReport
 * @property {number} start_signals
 * @property {number} gaps start signals that were not one period after the one before
 * @property {number} per_second
 * @property {number} first_counted_ns monotonic
 * @property {number} last_ns monotonic
 * @property {Quantiles} lateness_us
 * @property {Quantiles} steps_us
 * @typedef {{ commands: number, forwarded_us: Quantiles, arrived_us: Quantiles }} VehiclesReport
 */

/**
 * The fields of the product's summary that the bench reads.
 * @typedef {{ skipped_periods: number, own_commands: { hold: number, stop: number } }} Summary
 */

const usageIntervalMs = 200;

/**
 * Loopback without multicast, with a domain tag of its own; shared by all programs of a run.
 * @param {{ tag?: boolean }} [options]
 */
export function isolatedNetwork({ tag = true } = {}) {
  return (
    '<CycloneDDS><Domain Id="any">' +
    '<General><AllowMulticast>false</AllowMulticast>' +
    '<Interfaces><NetworkInterface name="lo"/></Interfaces></General>' +
    '<Discovery><Peers><Peer Address="127.0.0.1"/></Peers>' +
    '<ParticipantIndex>auto</ParticipantIndex>' +
    '<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>' +
    `${tag ? `<Tag>${randomUUID()}</Tag>` : ''}</Discovery></Domain></CycloneDDS>`
  );
}

/**
 * Runs a deployment once.
 * @param {Load} load
 * @param {Side} side
 * @param {Manner} [manner]
 * @returns {Promise<Measurement>}
 * @throws {Error} when a program fails, or when messages are missing
 */
export function run(load, side, manner = {}) {
  return withPrograms((start, folder, watchOthers) => {
    const others = watchOthers();
    return measure(load, side, path.join(folder, 'summary.json'), manner, start, others);
  }, manner.longestMs);
}

/**
 * The control socket of the middleware whose programs have this folder.
 * @param {string} folder
 */
export function controlSocketIn(folder) {
  return path.join(folder, 'a.sock');
}

/**
 * Starts programs in a network of their own, and ends them.
 * @template Result
 * @param {(start: Start, folder: string, watchOthers: () => OtherPrograms) => Promise<Result>} deploy
 *   `folder` for its files; `watchOthers` begins to count the processor time of programs that it did not
 *   start
 * @param {number} [longestMs] a program that runs longer has hung
 * @returns {Promise<Result>}
 * @throws {Error} when a program fails
 */
export async function withPrograms(deploy, longestMs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hlc-bench-'));
  const env = {
    ...plainEnvironment(),
    CYCLONEDDS_URI: isolatedNetwork(),
    // A middleware of the user may have the usual one.
    HLC_MIDDLEWARE_CONTROL_SOCKET: controlSocketIn(folder),
  };
  /** @type {Program[]} */
  const programs = [];
  /** @type {(reason: Error) => void} */
  let giveUp = () => undefined;
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => {
    giveUp = reject;
  });
  /** @type {Start} */
  const start = (name, command, added = {}) => {
    const program = new Program(name, command, { ...env, ...added }, longestMs);
    programs.push(program);
    // The other programs would wait for this one without end.
    program.untilDone().catch(giveUp);
    return program;
  };
  const running = () => programs.flatMap(({ gone, child }) => (gone ? [] : (child.pid ?? [])));
  const watchOthers = () => new OtherPrograms(running);
  try {
    return await Promise.race([failure, deploy(start, folder, watchOthers)]);
  } finally {
    for (const program of programs) program.kill();
    // The next run uses the same ports.
    await Promise.allSettled(programs.map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
  }
}

/** @typedef {(name: string, command: string[], added?: NodeJS.ProcessEnv) => Program} Start */

/**
 * @param {Load} load
 * @param {Side} side
 * @param {string} summaryFile for the summary of the product
 * @param {Manner} manner
 * @param {Start} start
 * @param {OtherPrograms} others
 * @returns {Promise<Measurement>}
 */
async function measure(load, side, summaryFile, manner, start, others) {
  const deployment = await startDeployment(load, side, summaryFile, manner, start);
  const { middleware, startupMs, vehicles, busy, controllers } = deployment;
  const usages = await watch(middleware);
  const [received, ...reports] = await Promise.all([
    /** @type {Promise<VehiclesReport>} */ (vehicles.report()),
    ...controllers.map(
      (controller) => /** @type {Promise<ControllerReport>} */ (controller.report()),
    ),
  ]);
  await busy?.end();
  const summary = side === 'product' ? readSummary(summaryFile) : undefined;
  checkComplete(load, reports, received, summary);
  const counted = {
    fromNs: reports[0]?.first_counted_ns ?? NaN,
    toNs: reports[0]?.last_ns ?? NaN,
    periods: (reports[0]?.start_signals ?? NaN) - load.skip - 1,
  };
  return {
    ...unmeasured,
    startupMs,
    startSignalsPerSecond: reports[0]?.per_second ?? NaN,
    stepP50Us: reports[0]?.steps_us.p50 ?? NaN,
    skippedPeriods: summary?.skipped_periods ?? 0,
    latenessP99Us: Math.max(...reports.map(({ lateness_us }) => lateness_us.p99)),
    forwardedP50Us: received.forwarded_us.p50,
    arrivedP50Us: received.arrived_us.p50,
    peakResidentMb: usages.at(-1)?.peakResidentMb ?? NaN,
    // Not beyond: the threads that receive end before the program does, and would not count.
    cpuShare: cpuShare(usagesWithin(usages, counted)),
    otherShare: others.share(),
    usages,
    counted,
  };
}

/**
 * @param {Load} load
 * @param {Side} side
 * @param {string} summaryFile for the summary of the product
 * @param {Manner} manner
 * @param {Start} start
 */
export async function startDeployment(load, side, summaryFile, manner, start) {
  const command = middlewareCommand(load, side, summaryFile, manner);
  const middleware = start('the middleware', command, manner.environment);
  const startupMs = await middleware.untilOutput('waiting for controllers');
  const vehicles = start('the vehicles', vehiclesCommand(load));
  await vehicles.untilOutput('states sent');
  const busy = load.busy === true ? start('the load of the cores', busyCommand()) : undefined;
  const controllers = controllerCommands(load).map((own) => start('a controller', own));
  return { middleware, startupMs, vehicles, busy, controllers };
}

/**
 * @param {string} file
 * @returns {Summary}
 */
function readSummary(file) {
  /** @type {unknown} */
  const content = JSON.parse(readFileSync(file, 'utf8'));
  return /** @type {Summary} */ (content);
}

/**
 * Samples the resources of a program.
 * @param {Program} program
 * @param {Promise<unknown>} [until] default: its end
 * @returns {Promise<Usage[]>}
 */
export async function watch(program, until = program.untilDone()) {
  /** @type {Usage[]} */
  const usages = [];
  const sample = () => {
    const usage = program.usage();
    if (usage !== undefined) usages.push(usage);
  };
  sample();
  const timer = setInterval(sample, usageIntervalMs);
  try {
    await until;
  } finally {
    clearInterval(timer);
  }
  return usages;
}

/**
 * Over the second half of the samples: all programs have started by then, and most code is compiled.
 * @param {readonly Usage[]} usages
 */
export function cpuShare(usages) {
  const from = usages[Math.floor(usages.length / 2)];
  const to = usages.at(-1);
  if (from === undefined || to === undefined || from === to) return NaN;
  return cpuNsBetween(from, to) / (to.atNs - from.atNs);
}

/**
 * Refuses an incomplete run. In simulated time every controller receives every start signal, and the
 * vehicles receive every answer and the product's own commands (one stop per vehicle at the end).
 * @throws {Error} when messages are missing
 * @param {Load} load
 * @param {readonly ControllerReport[]} reports
 * @param {VehiclesReport} received
 * @param {Summary | undefined} summary
 */
function checkComplete(load, reports, received, summary) {
  if (load.time !== 'simulated') return;
  const own = summary?.own_commands ?? { hold: 0, stop: 0 };
  const commands = load.periods * load.controllers + own.hold + own.stop;
  const incomplete = reports.filter(
    ({ start_signals, gaps }) => start_signals !== load.periods || gaps > 0,
  );
  if (incomplete.length > 0) {
    throw new Error(
      `${incomplete.length} of ${reports.length} controllers did not receive all ${load.periods} steps.`,
    );
  }
  if (received.commands !== commands) {
    throw new Error(`The vehicles received ${received.commands} of ${commands} commands.`);
  }
}
