import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { Middleware, runMiddleware } from '../../support/middleware.js';
import { openTestLab } from '../../support/test-lab.js';

const isRoot = process.getuid?.() === 0;
const flags = ['--vehicle-ids=1', '--period-ms=20', '--realtime-priority=7'];

/** Fields of /proc/…/stat that follow the name: priority and policy of the scheduler (proc(5)). */
const priorityField = 37;
const policyField = 38;
const fifo = 1;

/** The real-time priority of each thread under SCHED_FIFO, by name; where some share it, the least. */
function realtimeThreads(pid: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[policyField]) !== fifo) continue;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    found[name] = Math.min(found[name] ?? 99, Number(fields[priorityField]));
  }
  return found;
}

describe('--realtime-priority', () => {
  it('is that of the pacer; who serves it is one below, others are not', async ({ skip }) => {
    skip(!isRoot, 'only root may ask for real-time priority');
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = new Middleware(lab.uri, flags);
    await controller.startSignals.untilCount(5);
    const { pid = 0 } = middleware.program;
    const threads = realtimeThreads(pid);
    expect(threads).toMatchObject({ 'hlc-pacer': 7, node: 6, recvUC: 6 });
    const all = readdirSync(`/proc/${pid}/task`).length;
    expect(Object.keys(threads).length).toBeLessThan(all - 4);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(Number(/^VmLck:\s+(\d+) kB$/m.exec(status)?.[1])).toBeGreaterThan(0);
    middleware.signal('SIGINT');
    expect((await middleware.ended).code).toBe(130);
    expect(middleware.logged('a fault')).toEqual([]);
  });

  it('is refused with exit code 2 and one sentence where the system does not allow it', async () => {
    const without = ['setpriv', '--bounding-set=-sys_nice,-ipc_lock'];
    const program = runMiddleware(isolatedCycloneUri(), flags, isRoot ? { through: without } : {});
    const { code } = await program.ended;
    const sentence = program.stderr.items.filter((line) => line.startsWith('hlc-middleware: '));
    expect(code).toBe(2);
    expect(sentence).toHaveLength(1);
    expect(sentence[0]).toMatch(/prlimit .*\[HLC_REALTIME_PRIORITY\]$/);
  });
});
