// A middleware with a fault in it. HLC_TEST_FAULT says where; the arguments are the flags of
// "hlc-middleware run". The fault comes with the 20th start signal, or with the first event after it.

import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
async function built(path) {
  /** @type {unknown} */
  const loaded = await import(new URL(`../../dist/${path}`, import.meta.url).href);
  return /** @type {T} */ (loaded);
}

/** @type {typeof import('../../src/node/index.js')} */
const { runMiddleware } = await built('node/index.js');
/** @type {typeof import('../../src/config/index.js')} */
const { parseRunConfig } = await built('config/index.js');
/** @type {typeof import('../../src/dds/index.js')} */
const { exitNow } = await built('dds/index.js');
/** @type {typeof import('../../src/messages/index.js')} */
const { topics } = await built('messages/index.js');

const startSignalsBefore = 20;
let startSignals = 0;

/** @param {string} place */
function due(place) {
  return process.env.HLC_TEST_FAULT === place && startSignals >= startSignalsBefore;
}

/** @param {string} place */
function throwIfDue(place) {
  if (due(place)) throw new TypeError(`broken ${place}`);
}

/** Faults that need no probe: they begin with the 20th start signal. */
function throwElsewhere() {
  if (due('timer')) setTimeout(() => throwIfDue('timer'), 1);
  if (due('promise')) void Promise.reject(new TypeError('broken promise'));
  if (due('codec')) {
    topics.vehicleCommandDirect.codec.decode = () => {
      throw new TypeError('broken codec');
    };
  }
}

const config = parseRunConfig(process.argv.slice(2), process.env, (path) =>
  readFileSync(path, 'utf8'),
);
const code = await runMiddleware(config, {
  statusLines: true,
  probes: {
    event: () => throwIfDue('session'),
    effect: ({ kind }) => {
      if (kind === 'sendStartSignal' || kind === 'startSignalSent') {
        startSignals++;
        throwElsewhere();
      }
      if (kind === 'forwardCommand') throwIfDue('effect');
    },
    view: () => throwIfDue('display'),
  },
});
exitNow(code);
