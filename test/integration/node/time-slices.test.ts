import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shareCores } from '../../../src/dds/index.js';
import { Middleware } from '../../support/middleware.js';
import { skipWithout } from '../../support/skip-without.js';
import { openTestLab } from '../../support/test-lab.js';

/** Of a thread, ns; undefined where the kernel does not show it. */
function sliceOf(task: string): number | undefined {
  const text = readFileSync(`${task}/sched`, 'utf8');
  return Number(/^se\.slice\s+:\s+(\d+)$/m.exec(text)?.[1] ?? NaN) || undefined;
}

/** The time slices of the threads of a process, ns, by name. */
function slicesOf(pid: number): Map<string, Set<number | undefined>> {
  const slices = new Map<string, Set<number | undefined>>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const task = `/proc/${pid}/task/${id}`;
    const comm = readFileSync(`${task}/comm`, 'utf8').trim();
    const name = Number(id) === pid ? 'JavaScript' : comm;
    slices.set(name, (slices.get(name) ?? new Set()).add(sliceOf(task)));
  }
  return slices;
}

skipWithout(
  sliceOf('/proc/self') === undefined ? 'this kernel does not show time slices' : undefined,
);

it('the threads that wait for times and samples preempt the others, and the workers nobody', async () => {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  controller.signIn();
  const { program } = new Middleware(lab.uri, ['--vehicle-ids=1', '--period-ms=20']);
  await controller.startSignals.untilCount(5);
  const slices = slicesOf(program.pid ?? 0);
  const usual = sliceOf('/proc/self');
  expect(slices.get('hlc-pacer')).toEqual(new Set([100_000]));
  expect(slices.get('recvUC')).toEqual(new Set([100_000]));
  expect(slices.get('JavaScript')).toEqual(new Set([usual]));
  // Files are read and written by threads that are made when they are needed.
  expect(slices.get('node')).toContain(4_000_000);
});

it('the threads of a domain that was opened this moment are found too, before each of them has run', () => {
  const lab = openTestLab();
  for (let domainId = 0; domainId < 10; domainId++) {
    lab.joinDomain(domainId);
    shareCores('controlLoop');
    const slices = slicesOf(process.pid);
    for (const name of ['dq.builtins', 'dq.user', 'tev', 'recv', 'recvUC']) {
      expect(slices.get(name), name).toEqual(new Set([100_000]));
    }
  }
});
