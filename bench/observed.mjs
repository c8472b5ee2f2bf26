import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { alternate } from './alternation.mjs';
import { controlSocketIn } from './deployment.mjs';

/** @import { Turns } from './alternation.mjs' */
/** @import { Load } from './load.mjs' */

const program = [process.execPath, path.join(root, 'dist/cli/main.js')];

/** An observer and a recorder. @type {Turns['companions']} */
function bothObservers(folder, pair) {
  const flag = `--control-socket=${controlSocketIn(folder)}`;
  return [
    {
      name: 'the observer',
      command: [...program, 'observe', '--port=0', flag],
      ready: 'page to look at',
    },
    {
      name: 'the recorder',
      command: [...program, 'record', path.join(folder, `run-${pair}.mcap`), flag],
      ready: 'recording ',
    },
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
