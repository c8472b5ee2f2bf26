import { ForeignLoad } from './foreign-load.mjs';

/** @import { Measurement } from './deployment.mjs' */

/** Share of one core that others may take during a run. */
const tolerable = 0.1;
const lookMs = 300;
const longestWaitMs = 30_000;
const mostTries = 5;

/**
 * Makes a run when no other program works, and makes it again when one did meanwhile. When there is
 * no such moment for long, it takes the run that was disturbed least.
 * @param {() => Promise<Measurement>} run
 * @returns {Promise<Measurement>}
 */
export async function undisturbed(run) {
  /** @type {Measurement | undefined} */
  let best;
  for (let tries = 1; ; tries++) {
    await quietMoment();
    const result = await run();
    if (best === undefined || result.foreignShare < best.foreignShare) best = result;
    if (best.foreignShare <= tolerable || tries === mostTries) return best;
  }
}

async function quietMoment() {
  const until = performance.now() + longestWaitMs;
  while (performance.now() < until) {
    const others = new ForeignLoad();
    await new Promise((resolve) => {
      setTimeout(resolve, lookMs);
    });
    if (others.share() <= tolerable) return;
  }
}
