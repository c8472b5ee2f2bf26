import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as elapsed } from 'node:timers/promises';
import { startDeployment, unmeasured, withPrograms } from './deployment.mjs';
import { quantile } from './statistics.mjs';

/** @import { ControllerReport, Measurement, Start } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */
/** @import { OtherPrograms } from './other-programs.mjs' */

/**
 * A program beside a deployment.
 * @typedef {object} Companion
 * @property {string} name
 * @property {string[]} command
 * @property {string} ready text of its output when it is ready
 */

/**
 * What companions a run has. They run and do not run in turn.
 * @typedef {object} Turns
 * @property {number} pairs
 * @property {number} blockMs time with companions in each pair, and time without them
 * @property {(folder: string, pair: number) => readonly Companion[]} companions
 */

/** @typedef {Record<Side, Measurement> & { otherShare: number }} Both */

/**
 * A part of a block.
 * @typedef {object} Slice
 * @property {number[]} latenessUs of each start signal
 * @property {number[]} forwardedUs of each command
 * @property {number} seconds
 * @property {number} otherShare of one core, used by other programs
 */

const sliceMs = 500;
/** Share of one core that other programs may use during a slice. */
const allowedShare = 0.1;

/** Until V8 has compiled the code of a period. */
const warmUpMs = 2000;
/** Discovery after a start, and the rest of the work after an end. */
const settleMs = 700;

/**
 * Runs the product once. In each pair of blocks, the companions are off for half a block, on for a
 * block, and off for half a block, so that a slow change of the machine affects both sides. A companion
 * that is off does not run. Its start and its end are not measured.
 * @param {Load} load its number of periods has no end
 * @param {Turns} turns
 * @returns {Promise<Both>} `product` is with companions, `reference` without
 * @throws {Error} when a program fails, or when a controller missed a start signal
 */
export function alternate(load, { pairs, blockMs, companions }) {
  return withPrograms(async (start, folder, watchOthers) => {
    const others = watchOthers();
    const files = ['controller', 'vehicles'].map((name) => path.join(folder, `${name}.events`));
    const [lateness = '', forwarding = ''] = files;
    const { middleware, vehicles, controllers } = await startDeployment(
      { ...load, events: { lateness, forwarding } },
      'product',
      path.join(folder, 'summary.json'),
      {},
      start,
    );
    /** @type {Record<Side, SliceTime[]>} */
    const times = { product: [], reference: [] };
    await elapsed(warmUpMs);
    let peakWithoutMb = NaN;
    for (let pair = 0; pair < pairs; pair++) {
      times.reference.push(...(await sliceTimes(blockMs / 2, watchOthers)));
      if (pair === 0) peakWithoutMb = middleware.usage()?.peakResidentMb ?? NaN;
      const running = await startAll(companions(folder, pair), start);
      await elapsed(settleMs);
      times.product.push(...(await sliceTimes(blockMs, watchOthers)));
      await Promise.all(running.map((companion) => companion.end()));
      await elapsed(settleMs);
      times.reference.push(...(await sliceTimes(blockMs / 2, watchOthers)));
    }
    const peakWithMb = middleware.usage()?.peakResidentMb ?? NaN;
    await middleware.end();
    const reports = await Promise.all(
      controllers.map((own) => /** @type {Promise<ControllerReport>} */ (own.report())),
    );
    await vehicles.report();
    if (load.time === 'simulated' && reports.some(({ gaps }) => gaps > 0)) {
      throw new Error('A controller did not receive all steps.');
    }
    const events = { lateness: readEvents(lateness), forwarding: readEvents(forwarding) };
    const otherShare = others.share();
    const of = (/** @type {Side} */ side, /** @type {number} */ peakResidentMb) => {
      const slices = times[side].map((time) => sliceOf(time, events));
      return { ...unmeasured, ...figuresOf(slices), peakResidentMb, otherShare, slices };
    };
    return {
      product: of('product', peakWithMb),
      reference: of('reference', peakWithoutMb),
      otherShare,
    };
  });
}

/**
 * One measurement of the slices of several runs.
 * @param {readonly Measurement[]} runs of the function above
 * @returns {Measurement | undefined} undefined when a run has no slices
 */
export function pooled(runs) {
  if (runs.some(({ slices }) => slices === undefined)) return undefined;
  const slices = runs.flatMap((run) => run.slices ?? []);
  return {
    ...unmeasured,
    ...figuresOf(slices),
    slices,
    peakResidentMb: Math.max(...runs.map(({ peakResidentMb }) => peakResidentMb)),
    otherShare: Math.max(...runs.map(({ otherShare }) => otherShare)),
  };
}

/** @param {readonly Slice[]} all of one side */
function figuresOf(all) {
  const slices = leastDisturbed(all);
  const seconds = slices.reduce((sum, slice) => sum + slice.seconds, 0);
  const latenessUs = slices.flatMap((slice) => slice.latenessUs);
  const forwardedUs = slices.flatMap((slice) => slice.forwardedUs);
  return {
    startSignalsPerSecond: latenessUs.length / seconds,
    latenessP99Us: quantile(latenessUs, 0.99),
    forwardedP50Us: quantile(forwardedUs, 0.5),
  };
}

/**
 * Those in which no other program ran, and at least half.
 * @param {readonly Slice[]} slices
 */
function leastDisturbed(slices) {
  const sorted = slices.toSorted((a, b) => a.otherShare - b.otherShare);
  const quiet = sorted.filter(({ otherShare }) => otherShare <= allowedShare);
  return sorted.slice(0, Math.max(quiet.length, Math.ceil(sorted.length / 2)));
}

/**
 * From and to: ns on the monotonic clock.
 * @typedef {{ fromNs: number, toNs: number, otherShare: number }} SliceTime
 */

/**
 * @param {number} ms
 * @param {() => OtherPrograms} watchOthers
 * @returns {Promise<SliceTime[]>}
 */
async function sliceTimes(ms, watchOthers) {
  const times = [];
  for (let slice = 0; slice < ms / sliceMs; slice++) {
    const others = watchOthers();
    const fromNs = Number(process.hrtime.bigint());
    await elapsed(sliceMs);
    const toNs = Number(process.hrtime.bigint());
    times.push({ fromNs, toNs, otherShare: others.share() });
  }
  return times;
}

/** @param {readonly Companion[]} companions @param {Start} start */
async function startAll(companions, start) {
  const running = [];
  for (const { name, command, ready } of companions) {
    const program = start(name, command);
    await program.untilOutput(ready);
    running.push(program);
  }
  return running;
}

/**
 * @typedef {{ atNs: number, us: number }} Event
 * @param {string} file of bench/c/distribution.h
 * @returns {Event[]}
 */
function readEvents(file) {
  const content = readFileSync(file);
  return Array.from({ length: content.length / 16 }, (_, index) => ({
    atNs: Number(content.readBigInt64LE(16 * index)),
    us: Number(content.readBigInt64LE(16 * index + 8)) / 1000,
  }));
}

/**
 * @param {SliceTime} time
 * @param {{ lateness: Event[], forwarding: Event[] }} events
 * @returns {Slice}
 */
function sliceOf({ fromNs, toNs, otherShare }, { lateness, forwarding }) {
  const within = (/** @type {Event[]} */ events) =>
    events.flatMap(({ atNs, us }) => (fromNs <= atNs && atNs < toNs ? [us] : []));
  return {
    latenessUs: within(lateness),
    forwardedUs: within(forwarding),
    seconds: (toNs - fromNs) / 1e9,
    otherShare,
  };
}
