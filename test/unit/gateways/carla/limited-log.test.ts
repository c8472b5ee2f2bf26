import { beforeEach, expect, it } from 'vitest';

import { LimitedLog } from '../../../../src/gateways/limited-log.js';

let nowMs = 0;
let lines: string[] = [];
let log = newLog();

function newLog(): LimitedLog {
  return new LimitedLog(
    (text) => void lines.push(text),
    () => nowMs,
  );
}

beforeEach(() => {
  nowMs = 0;
  lines = [];
  log = newLog();
});

it('prints one line of a kind a second, and counts the others', () => {
  for (nowMs = 0; nowMs < 1000; nowMs += 250) log.inform('connections', `at ${nowMs}`);
  expect(lines).toEqual(['at 0']);
  log.inform('connections', 'at 1000');
  nowMs = 2000;
  log.inform('connections', 'at 2000');
  expect(lines.slice(1)).toEqual([
    'at 1000 (and 3 more connections since the last one)',
    'at 2000',
  ]);
  expect(log.refused).toBe(0);
});

it('prints the lines of one kind beside those of another', () => {
  log.inform('connections', 'a client came');
  log.refuse('a client is refused');
  log.inform('disconnections', 'a client is gone');
  log.refuse('a client is refused again');
  expect(lines).toEqual(['a client came', 'a client is refused', 'a client is gone']);
  nowMs = 1000;
  log.refuse('the third');
  expect(lines.at(-1)).toBe('the third (and 1 more refusals since the last one)');
  expect(log.refused).toBe(3);
});
