import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  steadyBeats,
  strangeBeats,
  timingBeats,
  type Beat,
} from '../../../src/certify/judging/index.js';
import { RandomStream } from '../../../src/lab/index.js';

const randomOf = (seed: number) => {
  const stream = new RandomStream(seed, 'check');
  return () => stream.uniform();
};
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const count = (beats: readonly Beat[], note: Beat['note']) =>
  beats.filter((beat) => beat.note === note).length;

describe('the script of a certification', () => {
  it('is the same for the same seed, and differs between seeds', () => {
    const scripts = [1, 2, 3, 4, 5].map((seed) => JSON.stringify(timingBeats(randomOf(seed))));
    expect(new Set(scripts).size).toBe(5);
    expect(JSON.stringify(timingBeats(randomOf(3)))).toBe(scripts[2]);
  });

  it('tries everything with every seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const timing = timingBeats(randomOf(seed));
        expect(count(timing, 'late')).toBe(2);
        expect(count(timing, 'afterGap')).toBe(3);
        expect(count(timing, 'newest')).toBe(2);
        const strange = strangeBeats(randomOf(seed));
        const kinds = new Set(strange.map(({ list }) => list));
        expect([...kinds].sort()).toEqual(
          ['empty', 'many', 'ownAbsent', 'strangers', 'usual', 'zeros'].sort(),
        );
        expect(strange.slice(-5).every(({ list }) => list === 'usual')).toBe(true);
      }),
    );
  });

  it('sends nothing so late that it belongs to the next period', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = randomOf(seed);
        const beats = [...steadyBeats(), ...strangeBeats(random), ...timingBeats(random)];
        const wrong = beats.filter(
          ({ latePart, periods, held }) => latePart < 0 || latePart >= 0.5 || periods <= held,
        );
        expect(wrong).toEqual([]);
      }),
    );
  });
});
