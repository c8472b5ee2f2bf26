import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { VehicleStateList } from '../../../src/messages/index.js';
import { connectTap, tapPathOf } from '../../../src/observe/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { Middleware } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';

const periods = 300;
const periodMs = 30;
const stateMs = 5;
const busyLoops = 3;
const firstCore = ['--cpu-list', '0'];

const isRoot = process.getuid?.() === 0;

/**
 * Lets the threads of a process that receive preempt all others. A state that was sent is then received, and only
 * the JavaScript of the process waits for its core.
 */
function letReceive(pid: number): void {
  const tasks = `/proc/${pid}/task`;
  for (const thread of readdirSync(tasks)) {
    if (!readFileSync(`${tasks}/${thread}/comm`, 'utf8').startsWith('recv')) continue;
    spawnSync('chrt', ['--fifo', '--pid', '1', thread]);
  }
}

/** The times of the start signals that the tap reports as repeated; settles with the run. */
async function repeatedByTap(controlSocket: string): Promise<readonly bigint[]> {
  const tap = await connectTap(tapPathOf(controlSocket));
  onTestFinished(() => tap.close());
  const times: bigint[] = [];
  for await (const records of tap.records()) {
    for (const record of records) {
      if (record.type !== 'effect' || record.effect.kind !== 'startSignalSent') continue;
      if (record.effect.standIn) times.push(record.effect.tNowNs);
    }
  }
  return times;
}

it.for([{ flags: [] }, { flags: ['--compat=cpm-lab'] }])(
  'on a core with three busy loops each start signal with the states of an earlier period is reported, with $flags',
  async ({ flags }, { skip }) => {
    skip(!isRoot, 'only root may let the threads that receive preempt the busy loops');
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.controller({ ids: [1] });
    const socket = path.join(temporaryFolder(), 'a.sock');
    const settings = [`--period-ms=${periodMs}`, `--control-socket=${socket}`, ...flags];
    const middleware = new Middleware(lab.uri, ['--vehicle-ids=1', ...settings], {
      through: ['taskset', ...firstCore],
    });
    await middleware.untilLogged('waiting for controllers');
    letReceive(middleware.program.pid ?? 0);
    const reported = repeatedByTap(socket);
    controller.signIn();

    const sent: { readonly stampNs: bigint; readonly writtenNs: bigint }[] = [];
    const timer = setInterval(() => {
      const stamp = { nanoseconds: lab.clocks.realtimeNs() };
      const header = { create_stamp: stamp, valid_after_stamp: stamp };
      vehicles.sendState({ vehicle_id: 1, header });
      sent.push({ stampNs: stamp.nanoseconds, writtenNs: lab.clocks.realtimeNs() });
    }, stateMs);
    onTestFinished(() => clearInterval(timer));
    const stampOf = (list?: VehicleStateList) =>
      list?.state_list[0]?.header.create_stamp.nanoseconds ?? 0n;
    const { startSignals } = controller;
    await startSignals.until(({ list }) => stampOf(list) > 0n);
    const loops = Array.from({ length: busyLoops }, (_, i) => {
      const args = [...firstCore, process.execPath, '-e', 'for (;;);'];
      return new ChildProgram(`busy loop ${i}`, 'taskset', args, '');
    });
    const before = startSignals.items.length;
    await startSignals.untilCount(before + periods);
    await middleware.untilLogged('a start signal carries the states of an earlier period');
    for (const loop of loops) loop.signal('SIGKILL');
    middleware.signal('SIGTERM');
    await middleware.ended;

    const lists = startSignals.items.map(({ list }) => list).slice(before);
    const repeating = lists.filter((list, i) => i > 0 && stampOf(list) === stampOf(lists[i - 1]));
    const periodNs = BigInt(periodMs) * 1_000_000n;
    // What this program had not sent by then cannot be in a start signal.
    const old = repeating.filter((list) =>
      sent.some((it) => it.stampNs > stampOf(list) && it.writtenNs < list.t_now - periodNs / 2n),
    );
    const { start_signals_repeated, skipped_periods } = middleware.summary();
    const byTap = await reported;
    console.log(
      `${flags.join(' ')}: ${old.length} of ${lists.length - 1} start signals with the states of an earlier period, ${skipped_periods} periods skipped`,
    );
    expect(byTap.length).toBeGreaterThan(0);
    const unreported = old.filter(({ t_now }) => !byTap.includes(t_now));
    expect(unreported).toEqual([]);
    const first = lists[1]?.t_now ?? 0n;
    const times = repeating.map(({ t_now }) => t_now);
    // What was prepared too late for a period that had a stand-in, or none at all, can stand in for the
    // next one: then its content was not received before.
    const fresh = new Set(lists.map(({ t_now }) => t_now).filter((ns) => !byTap.includes(ns)));
    const afterFresh = byTap.filter((tNowNs) => fresh.has(tNowNs - periodNs));
    expect(times).toEqual(expect.arrayContaining(afterFresh.filter((tNowNs) => tNowNs >= first)));
    expect(start_signals_repeated).toBe(byTap.length);
    expect(middleware.program.stdout.items.join('\n')).toContain(
      `(${start_signals_repeated} with the content of an earlier one)`,
    );
  },
);
