import { expect, it } from 'vitest';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { summaryText } from '../../../src/node/host/summary-text.js';

it.each([
  [1, '1 reply, 1 miss, 1 safe stop, after p50'],
  [2, '2 replies, 2 misses, 2 safe stops, after p50'],
])('the summary of a controller has the number of its nouns: %s', (count, text) => {
  const summary = new RunStatistics([1]).summary();
  const [controller] = Object.values(summary.controllers);
  if (controller === undefined) throw new Error('There is no controller.');
  const counts = { replies: count, misses: count, safe_stops: count };
  expect(summaryText({ ...summary, controllers: { 1: { ...controller, ...counts } } })).toContain(
    `controller 1        ${text}`,
  );
});
