import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as elapsed } from 'node:timers/promises';
import { startDeployment, unmeasured, withPrograms } from './deployment.mjs';
import { OtherPrograms } from './other-programs.mjs';
import { quantile } from './statistics.mjs';

/** @import { ControllerReport, Measurement, Start } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */

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
 * @property {(folder: string) => NodeJS.ProcessEnv} [environment] of the middleware
 */

/** @typedef {Record<Side, Measurement> & { otherShare: number }} Both */

/**
 * What was measured in all blocks of a side.
 * @typedef {object} Samples
 * @property {number[]} latenessUs of each start signal
 * @property {number[]} forwardedUs of each command
 * @property {number} seconds
 */

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
export function alternate(load, { pairs, blockMs, companions, environment }) {
  return withPrograms(async (start, folder) => {
    const others = new OtherPrograms();
    const manner = { environment: environment?.(folder) ?? {} };
    const files = ['controller', 'vehicles'].map((name) => path.join(folder, `${name}.events`));
    const [lateness = '', forwarding = ''] = files;
    const { middleware, vehicles, controllers } = await startDeployment(
      { ...load, events: { lateness, forwarding } },
      'product',
      path.join(folder, 'summary.json'),
      manner,
      start,
    );
    /** @type {Record<Side, Block[]>} */
    const blocks = { product: [], reference: [] };
    await elapsed(warmUpMs);
    let peakWithoutMb = NaN;
    for (let pair = 0; pair < pairs; pair++) {
      blocks.reference.push(await block(blockMs / 2));
      if (pair === 0) peakWithoutMb = middleware.usage()?.peakResidentMb ?? NaN;
      const running = await startAll(companions(folder, pair), start);
      await elapsed(settleMs);
      blocks.product.push(await block(blockMs));
      await Promise.all(running.map((companion) => companion.end()));
      await elapsed(settleMs);
      blocks.reference.push(await block(blockMs / 2));
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
    const of = (/** @type {Side} */ side, /** @type {number} */ peakResidentMb) => ({
      ...unmeasured,
      ...figuresOf(samplesOf(events, blocks[side])),
      peakResidentMb,
      otherShare,
    });
    return {
      product: of('product', peakWithMb),
      reference: of('reference', peakWithoutMb),
      otherShare,
    };
  });
}

/**
 * One measurement of all samples of several runs.
 * @param {readonly Measurement[]} runs of the function above
 * @returns {Measurement | undefined} undefined when a run has no samples
 */
export function pooled(runs) {
  const all = runs.flatMap(({ samples }) => samples ?? []);
  if (all.length === 0 || all.length < runs.length) return undefined;
  return {
    ...unmeasured,
    ...figuresOf({
      latenessUs: all.flatMap(({ latenessUs }) => latenessUs),
      forwardedUs: all.flatMap(({ forwardedUs }) => forwardedUs),
      seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
    }),
    peakResidentMb: Math.max(...runs.map(({ peakResidentMb }) => peakResidentMb)),
    otherShare: Math.max(...runs.map(({ otherShare }) => otherShare)),
  };
}

/** @param {Samples} samples */
function figuresOf(samples) {
  return {
    startSignalsPerSecond: samples.latenessUs.length / samples.seconds,
    latenessP99Us: quantile(samples.latenessUs, 0.99),
    forwardedP50Us: quantile(samples.forwardedUs, 0.5),
    samples,
  };
}

/** From and to, ns on the monotonic clock. @typedef {{ fromNs: number, toNs: number }} Block */

/** @param {number} ms @returns {Promise<Block>} */
async function block(ms) {
  const fromNs = Number(process.hrtime.bigint());
  await elapsed(ms);
  return { fromNs, toNs: Number(process.hrtime.bigint()) };
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
 * @param {{ lateness: Event[], forwarding: Event[] }} events
 * @param {readonly Block[]} blocks
 * @returns {Samples}
 */
function samplesOf({ lateness, forwarding }, blocks) {
  const within = (/** @type {Event[]} */ events) =>
    events
      .filter(({ atNs }) => blocks.some(({ fromNs, toNs }) => fromNs <= atNs && atNs < toNs))
      .map(({ us }) => us);
  return {
    latenessUs: within(lateness),
    forwardedUs: within(forwarding),
    seconds: blocks.reduce((sum, { fromNs, toNs }) => sum + (toNs - fromNs) / 1e9, 0),
  };
}
