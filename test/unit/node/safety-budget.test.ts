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

it('prints the way of a vehicle after its controller fell silent, and after a hang', () => {
  expect(printed('--vehicle-ids=1,2')).toEqual([
    'vehicles 1, 2: from the last reply of a silent controller to rest at most 2.75 s and 7.50 m, at 5 m/s with 2 m/s²',
    'control loop: from a hang to rest at most 3.55 s and 11.50 m',
  ]);
  expect(printed('--hang-limit-ms=4000 --max-speed=2')).toContain(
    'control loop: from a hang to rest at most 5.05 s and 9.10 m',
  );
});

it('prints the longer way in the time in which misses do not count', () => {
  const lines = printed('--vehicle-ids=1,2 --grace-ms=0,2:8000 --max-speed=2');
  expect(lines.slice(0, 3)).toEqual([
    'vehicle 1: from the last reply of a silent controller to rest at most 1.25 s and 1.50 m, at 2 m/s with 2 m/s²',
    'vehicle 2: from the last reply of a silent controller to rest at most 1.25 s and 1.50 m, at 2 m/s with 2 m/s²',
    'vehicle 2: in the first 8 s of a controller (--grace-ms) at most 9.05 s and 17.10 m',
  ]);
});

it('says where the speed is not limited', () => {
  expect(printed('--compat=cpm-lab --miss-policy=stop')[0]).toMatch(
    /at 1 m\/s \(there is no --max-speed\) with 2 m\/s²$/,
  );
});

it('prints the way after this program failed, with a guard', () => {
  const guarded = 'guard: from the end of this program, or a hang of all of it, to rest at most';
  expect(printed('--guard')).toContain(`${guarded} 2.85 s and 8.00 m`);
  expect(printed('--guard --guard-after-ms=1000 --max-speed=1')).toContain(
    `${guarded} 1.55 s and 1.30 m`,
  );
});

it('prints when a guard acts after a hang, or warns that nothing does', () => {
  expect(printed('--hang-limit-ms=0 --guard --max-speed=2')).toContain(
    'control loop: from a hang to rest at most 2.35 s and 3.70 m',
  );
  expect(printed('--hang-limit-ms=0')).toContainEqual(
    expect.stringMatching(/^no vehicle is stopped when the control loop of this program hangs/),
  );
});

it('names the guard as what stops vehicles after a hang where no other thread can command them', () => {
  const overRos = '--lab-side=rclnodejs --max-speed=2';
  expect(printed(`${overRos} --guard`)).toContain(
    'control loop: from a hang to rest at most 1.35 s and 1.70 m',
  );
  const lines = printed(overRos);
  expect(lines).toContain(
    'no vehicle is stopped when the control loop of this program hangs (--lab-side=rclnodejs), and this run has no guard; add --guard, run "hlc-middleware guard", or use --lab-side=ros2',
  );
  expect(lines).not.toContainEqual(expect.stringMatching(/^control loop/));
});

it('warns of vehicles that drive on when this program fails', () => {
  const warning = /^the vehicles have no time-out .* and this run has no guard/;
  expect(printed('--vehicle-timeout-ms=0')).toContainEqual(expect.stringMatching(warning));
  expect(printed('--vehicle-timeout-ms=0 --guard')).not.toContainEqual(
    expect.stringMatching(warning),
  );
});

it('prints nothing in simulated time: a vehicle waits for the middleware', () => {
  expect(printed('--simulated-time --guard')).toEqual([]);
});
