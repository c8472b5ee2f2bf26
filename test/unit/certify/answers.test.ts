import { expect, it } from 'vitest';
import { Answers } from '../../../src/certify/examination/answers.js';

const wallClockNs = 1_000n;
const simulatedNs = 1_000_000n;
const stepNs = 100n;

/** After two start signals of simulated time. */
function atSecondStep(): Answers {
  const answers = new Answers();
  answers.begin(wallClockNs);
  answers.beginSimulatedTime(simulatedNs);
  answers.begin(simulatedNs + stepNs);
  answers.begin(simulatedNs + 2n * stepNs);
  return answers;
}

it('has all vehicles when each was commanded since the newest start signal', () => {
  const answers = new Answers();
  answers.begin(wallClockNs);
  answers.add(1, wallClockNs);
  expect(answers.haveAll([1])).toBe(true);
  expect(answers.haveAll([1, 2])).toBe(false);
  answers.add(2, wallClockNs);
  expect(answers.haveAll([1, 2])).toBe(true);
  answers.begin(wallClockNs + stepNs);
  expect(answers.haveAll([1])).toBe(false);
});

it.each([
  ['the step before', simulatedNs + stepNs],
  ['the step before, some ns later', simulatedNs + stepNs + 7n],
  ['the start signal before simulated time', wallClockNs],
])('takes no late answer to %s', (_, createNs) => {
  const answers = atSecondStep();
  answers.add(1, createNs);
  expect(answers.haveAll([1])).toBe(false);
});

it.each([
  ['the time of the step', simulatedNs + 2n * stepNs],
  ['a time after it', simulatedNs + 2n * stepNs + 7n],
  ['the wall clock', wallClockNs + stepNs],
])('takes an answer in simulated time that is stamped with %s', (_, createNs) => {
  const answers = atSecondStep();
  answers.add(1, createNs);
  expect(answers.haveAll([1])).toBe(true);
});

it('takes an answer in real time whose stamp is some ns older than the start signal', () => {
  const answers = new Answers();
  answers.begin(wallClockNs);
  answers.begin(wallClockNs + stepNs);
  answers.add(1, wallClockNs + stepNs - 7n);
  expect(answers.haveAll([1])).toBe(true);
});
