// Opens, uses and closes every kind of DDS entity in random order, closes what is left, and ends by
// itself: what is still referenced by then is a leak, or keeps the process from ending.
// Usage: random-entities.mjs <seed> <seconds> <what>; writes one line of JSON: how often what was done.
// `what` has names with commas between them: it goes on until all happened, within a bound of steps.

import process from 'node:process';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { actions, closeContext, countAction, counts, openContext } from './actions.mjs';

const [seed, seconds] = process.argv.slice(2, 4).map(Number);
const wanted = (process.argv[4] ?? '').split(',');
const generator = xoroshiro128plus(seed ?? 0);
const random = (/** @type {number} */ below) => uniformInt(generator, 0, Math.max(0, below - 1));

/** So that everything happens on a busy machine, too. */
const fewestSteps = 1500;
const mostSteps = 30_000;

/** @param {number} step */
function goesOn(step) {
  if (step < fewestSteps || performance.now() < end) return true;
  return step < mostSteps && wanted.some((name) => !(name in counts));
}

const chosen = Object.entries(actions).flatMap(([name, [weight, act]]) =>
  Array.from({ length: weight }, () => ({ name, act })),
);
const end = performance.now() + (seconds ?? 0) * 1000;
for (let step = 0; goesOn(step); step++) {
  const next = chosen[random(chosen.length)];
  if (next === undefined) break;
  next.act(openContext(random), random);
  countAction(next.name);
  // Most steps come in bursts, with which samples and events pile up; then they are let through.
  if (random(8) === 0) await setImmediate();
  if (random(60) === 0) await setTimeout(random(30));
}
closeContext();
console.log(JSON.stringify(counts));
