import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { ScriptedController } from '../../support/scripted-controller.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ms = 1_000_000n;
const periodNs = 20n * ms;

function startTimes(controller: ScriptedController): bigint[] {
  return controller.startSignals.items.map(({ list }) => list.t_now);
}

/** So many times from the offset 1 ns on, each a period after the one before. */
function grid(count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => 1n + BigInt(i) * periodNs);
}

/** A middleware that listens at a socket of its own, and a command that is sent to it. */
function openControlled(...flags: string[]) {
  const lab = openOriginalLab();
  const socket = path.join(temporaryFolder(), 'control.sock');
  const controller = lab.controller({ ids: [1, 2] });
  const middleware = lab.startMiddleware(
    '--node_id=middleware_1,2',
    '--vehicle_ids=1,2',
    '--period_ms=20',
    `--control_socket=${socket}`,
    ...flags,
  );
  /** Gives what the command says, which is nothing on standard error. */
  const command = async (...args: string[]) => {
    const { code, output, errors } = await runCli(...args, '--control-socket', socket);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    return output;
  };
  return { controller, middleware, socket, command };
}

describe('the commands for a running middleware', () => {
  it('pause, step, run until a time and resume simulated time, and show its status', async () => {
    const { controller, middleware, command } = openControlled(
      '--simulated_time=true',
      '--time_source=self',
      '--periods=40',
    );
    await middleware.untilLogged('waiting for controllers');
    const name = `middleware_1,2 (pid ${middleware.program.pid})`;
    expect(await command('pause')).toEqual([
      `${name}: simulated time, waiting for controllers`,
      'start signals: 0; period: 20 ms',
      'controller 1: absent, replies: 0, misses: 0',
      'controller 2: absent, replies: 0, misses: 0',
    ]);
    controller.signIn();
    const paused = (count: number) =>
      middleware.logs.until(() => middleware.logged('paused').length >= count);
    await paused(1);
    expect(startTimes(controller)).toEqual([]);

    await command('step');
    await paused(2);
    expect(startTimes(controller)).toEqual(grid(1));
    await command('step', '3');
    await paused(3);
    expect(startTimes(controller)).toEqual(grid(4));
    // Up to and including the tenth.
    await command('run-until', String(1n + 9n * periodNs));
    await paused(4);
    expect(startTimes(controller)).toEqual(grid(10));
    expect(await command('status')).toEqual([
      `${name}: simulated time, paused`,
      `start signals: 10, the last one for ${1n + 9n * periodNs} ns; period: 20 ms`,
      'controller 1: ready, replies: 10, misses: 0',
      'controller 2: ready, replies: 10, misses: 0',
    ]);
    expect(middleware.logged('paused').map((line) => line.next_ns)).toEqual(
      [0n, 1n, 4n, 10n].map((steps) => String(1n + steps * periodNs)),
    );

    await command('resume');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(startTimes(controller)).toEqual(grid(40));
  });

  it('show its status in real time, and refuse to control its steps', async () => {
    const { controller, middleware, command, socket } = openControlled('--wait_for_start=false');
    await middleware.untilLogged('waiting for controllers');
    controller.signIn();
    await controller.startSignals.untilCount(5);
    const [first, second] = await command('status');
    expect(first).toBe(`middleware_1,2 (pid ${middleware.program.pid}): real time, running`);
    expect(second).toMatch(/^start signals: \d+, the last one for \d{19} ns; period: 20 ms$/);

    const refused = await runCli('step', '--control-socket', socket);
    expect(refused).toEqual({
      code: 1,
      output: [],
      errors: [expect.stringContaining('[HLC_CONTROL_REAL_TIME]')],
    });
    const seen = controller.startSignals.items.length;
    await controller.startSignals.untilCount(seen + 3);
  });
});
