import { emptyAnswer, type Side } from '../side.js';

/**
 * A side whose step is repeated after an empty answer, with the same payload: the time of the lab has
 * advanced by the window already, and a step that is only skipped would leave the side behind it for
 * the rest of the run. A {@link Side} fails after 1,000 empty answers in succession.
 */
export function steppedSide(side: Pick<Side, 'step'>): Pick<Side, 'step'> {
  return {
    async step(payload) {
      for (;;) {
        const answer = await side.step(payload);
        if (answer !== emptyAnswer) return answer;
      }
    },
  };
}
