import { ForeignLoad } from './foreign-load.mjs';

/** Share of one core that others may take during a run. */
const tolerable = 0.1;
const lookMs = 300;
const longestWaitMs = 120_000;
const mostTries = 8;

/**
 * Makes a run when no other program works, and makes it again when one did meanwhile. When there is
 * no such moment, it takes what it gets.
 * @template T
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function undisturbed(run) {
  for (let tries = 1; ; tries++) {
    await quietMoment();
    const others = new ForeignLoad();
    const result = await run();
    if (others.share() <= tolerable || tries === mostTries) return result;
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
