import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Policies of sched(7): SCHED_BATCH and SCHED_IDLE. */
const batch = 3;
const idle = 5;

/** Places of niceness and policy after the name of a thread, proc(5). */
const nicenessAt = 16;
const policyAt = 38;

/** Policy and niceness of each thread of a process. */
function threadsOf(pid: number | undefined): { policy: number; niceness: number }[] {
  const folder = `/proc/${pid ?? 'self'}/task`;
  return readdirSync(folder).map((thread) => {
    const stat = readFileSync(path.join(folder, thread, 'stat'), 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { policy: Number(fields[policyAt]), niceness: Number(fields[nicenessAt]) };
  });
}

it('all threads of an observer go behind those of other programs', async () => {
  const socket = path.join(temporaryFolder(), 'a.sock');
  const args = [cliProgram, 'observe', '--port=0', `--control-socket=${socket}`];
  const observer = new ChildProgram('the observer', process.execPath, args, '');
  await observer.stdout.until((line) => line.startsWith('page to look at'));
  const threads = threadsOf(observer.pid);
  expect(threads.length).toBeGreaterThan(4);
  for (const { policy, niceness } of threads) {
    // It stays at idle priority where the tests run so: that is behind all others.
    if (policy === idle) continue;
    expect(policy).toBe(batch);
    expect(niceness).toBeGreaterThanOrEqual(10);
  }
});
