import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { alternate } from './alternation.mjs';
import {
  controlSocketIn,
  cpuShare,
  startDeployment,
  unmeasured,
  watch,
  withPrograms,
} from './deployment.mjs';

/** @import { Companion, Turns } from './alternation.mjs' */
/** @import { Measurement } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */

const program = [process.execPath, path.join(root, 'dist/cli/main.js')];

/** @param {string} folder */
const socketFlag = (folder) => `--control-socket=${controlSocketIn(folder)}`;

/** @param {string} folder @param {number} part @returns {Companion} */
function recorderIn(folder, part) {
  return {
    name: 'the recorder',
    command: [...program, 'record', path.join(folder, `run-${part}.mcap`), socketFlag(folder)],
    ready: 'recording ',
  };
}

/** An observer and a recorder. @type {Turns['companions']} */
function bothObservers(folder, pair) {
  return [
    {
      name: 'the observer',
      command: [...program, 'observe', '--port=0', socketFlag(folder)],
      ready: 'page to look at',
    },
    recorderIn(folder, pair),
  ];
}

/**
 * The product with an observer and a recorder; the reference is the product alone. A recorder that loses
 * the middleware fails the run.
 * @param {Pick<Turns, 'pairs' | 'blockMs'>} turns
 * @returns {NonNullable<Load['deployBoth']>}
 */
export function observed(turns) {
  return (load) =>
    alternate(load, {
      ...turns,
      companions: bothObservers,
    });
}

/**
 * The processor time of a recorder; the reference is that of the middleware that it records.
 * @param {Load} load
 * @param {Side} side
 * @returns {Promise<Measurement>}
 * @throws {Error} when the recording lacks a record
 */
export function recorded(load, side) {
  return withPrograms(async (start, folder, watchOthers) => {
    const others = watchOthers();
    const summary = path.join(folder, 'summary.json');
    const { middleware } = await startDeployment(load, 'product', summary, {}, start);
    const { name, command, ready } = recorderIn(folder, 0);
    const recorder = start(name, command);
    await recorder.untilOutput(ready);
    const usages = await watch(side === 'product' ? recorder : middleware, middleware.untilDone());
    await recorder.untilDone();
    if (recorder.output.includes('dropped')) throw recorder.failure('dropped records');
    return { ...unmeasured, cpuShare: cpuShare(usages), otherShare: others.share() };
  });
}
