import { expect, it } from 'vitest';

import { LimitedLog } from '../../../../src/gateways/limited-log.js';

it('a log for bursts prints them, and over a longer time one line a second', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const log = new LimitedLog(
    (text) => void lines.push(text),
    () => nowMs,
    3,
  );
  for (let i = 0; i < 10; i++) log.inform('registrations', `client ${i}`);
  expect(lines.splice(0)).toEqual(['client 0', 'client 1', 'client 2']);
  for (nowMs = 100; nowMs <= 10_000; nowMs += 100) log.inform('registrations', `at ${nowMs}`);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('at 1000 (and 16 more registrations since the last one)');
  nowMs = 60_000;
  for (let i = 0; i < 10; i++) log.inform('registrations', `client ${i}`);
  expect(lines.slice(10)).toEqual(['client 0', 'client 1', 'client 2']);
});
