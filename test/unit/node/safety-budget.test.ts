import { pino } from 'pino';
import { expect, it } from 'vitest';
import { printSafetyBudget } from '../../../src/node/middleware/safety-budget.js';
import { parse } from '../config/parse.js';

/** What a run with these flags and a period of 50 ms prints. */
function printed(flags: string): string[] {
  const lines: string[] = [];
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg);
  printSafetyBudget(parse(`--period-ms=50 ${flags}`), 50_000_000n, pino({}, { write }));
  return lines;
}

it('prints the way of a vehicle after its controller fell silent', () => {
  expect(printed('--vehicle-ids=1,2')).toEqual([
    'vehicles 1, 2: from the last reply of a silent controller to rest at most 2.75 s and 7.50 m, at 5 m/s with 2 m/s²',
  ]);
});

it('prints the way after this program failed, with a guard', () => {
  const [, guarded] = printed('--guard');
  expect(guarded).toBe('guard: from a failure of this program to rest at most 2.85 s and 8.00 m');
  const [, later] = printed('--guard --guard-after-ms=1000 --max-speed=1');
  expect(later).toBe('guard: from a failure of this program to rest at most 1.55 s and 1.30 m');
});

it('warns of vehicles that drive on when this program fails', () => {
  const warning = /^the vehicles have no time-out .* and this run has no guard/;
  expect(printed('--vehicle-timeout-ms=0')).toContainEqual(expect.stringMatching(warning));
  expect(printed('--vehicle-timeout-ms=0 --guard')).not.toContainEqual(
    expect.stringMatching(warning),
  );
});
