import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectTap, tapPathOf } from '../../../src/observe/index.js';
import { directCommand } from '../../support/commands.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { ScriptedController } from '../../support/scripted-controller.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ms = 1_000_000n;
const stopSymbol = 0xffff_ffff_ffff_ffffn;

/** Simulated time without a lab control; the test starts the middleware and replies. */
function openSteps(ids: readonly number[], ...flags: string[]) {
  const lab = openOriginalLab();
  const middleware = lab.startMiddleware(
    `--vehicle_ids=${ids.join(',')}`,
    '--simulated_time=true',
    '--time_source=self',
    '--period_ms=20',
    ...flags,
  );
  return { lab, middleware };
}

/** Answers the start signal with this number, counted from 1, when it is there. */
async function answer(controller: ScriptedController, step: number, ids?: readonly number[]) {
  const { list } = await controller.startSignals.untilCount(step);
  controller.answer(list, ids);
}

describe('a step of simulated time', () => {
  it('ends with the last reply, at once and not at a poll', async () => {
    const socket = path.join(temporaryFolder(), 'a.sock');
    const steps = 200;
    const { lab, middleware } = openSteps(
      [1, 2, 3],
      `--periods=${steps}`,
      `--control_socket=${socket}`,
    );
    await middleware.untilLogged('waiting for controllers');
    const tap = await connectTap(tapPathOf(socket));
    onTestFinished(() => tap.close());
    const kinds: string[] = [];
    const reading = (async () => {
      for await (const records of tap.records()) {
        for (const record of records) {
          if (record.type === 'event' || record.type === 'effect') kinds.push(record.kind);
        }
      }
    })();
    for (const ids of [[1, 2], [3]]) lab.controller({ ids }).signIn();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    await reading;
    // The original looks every 20 ms. Here the start signal is an effect of the command that was the last reply.
    const before = kinds.filter((_, i) => kinds[i + 1] === 'sendStartSignal');
    expect(before).toEqual(['allReady', ...new Array<string>(steps - 1).fill('replied')]);
  });

  it('does not end before the last reply, and waits for it for ever, naming the missing once a second', async () => {
    const { lab, middleware } = openSteps([1, 2, 3]);
    const controller = lab.controller({ ids: [1, 2, 3], onStart: () => undefined });
    controller.signIn();
    await answer(controller, 1);
    await answer(controller, 2, [2]);
    const waiting = 'waiting for the replies of controllers 1, 3';
    const named = (second: number) =>
      middleware.logs.until(() => middleware.logged(waiting).length >= second);
    await named(1);
    await named(2);
    const [first, second] = middleware.logged(waiting);
    expect(first).toMatchObject({ controllers: [1, 3] });
    expect(Number(first?.waited_s)).toBeGreaterThanOrEqual(1);
    expect(Number(second?.waited_s)).toBeGreaterThanOrEqual(2);
    expect(controller.startSignals.items).toHaveLength(2);

    await answer(controller, 2, [1, 3]);
    await answer(controller, 3);
    await controller.startSignals.untilCount(4);
  });

  it.each([
    { policy: 'reject', reported: 'command refused', counted: 'commands_refused' },
    { policy: 'flag', reported: 'command forwarded in spite', counted: 'commands_flagged' },
  ] as const)(
    'does not take the answer to an older step for its own, with --check_policy=$policy',
    async ({ policy, reported, counted }) => {
      const { lab, middleware } = openSteps([1], `--check_policy=${policy}`);
      const controller = lab.controller({ ids: [1], onStart: () => undefined });
      controller.signIn();
      const { list: first } = await controller.startSignals.untilCount(1);
      controller.answer(first);
      const { list: second } = await controller.startSignals.untilCount(2);
      controller.send(directCommand(1, first.t_now + 1n));
      const line = await middleware.untilLogged(reported);
      expect(line.msg).toContain('ms before the current period');
      expect(controller.startSignals.items).toHaveLength(2);

      controller.answer(second);
      const { list: third } = await controller.startSignals.untilCount(3);
      expect(third.t_now).toBe(second.t_now + 20n * ms);
      middleware.signal('SIGTERM');
      await middleware.ended;
      expect(middleware.summary()).toMatchObject({
        [counted]: { HLC_COMMAND_CREATED_BEFORE_PERIOD: 1 },
        controllers: { 1: { replies: 2 } },
      });
    },
  );

  it('ends by a signal while it waits for replies', async () => {
    const { lab, middleware } = openSteps([1]);
    const controller = lab.controller({ ids: [1], onStart: () => undefined });
    controller.signIn();
    await controller.startSignals.untilCount(1);
    middleware.signal('SIGTERM');
    expect(await middleware.ended).toEqual({ code: 143, signal: null });
    expect(controller.triggers.items).toEqual([stopSymbol]);
  });
});

describe('a reply that stays out for longer than --reply_timeout_ms', () => {
  it('is reported once and waited for with the policy wait', async () => {
    const { lab, middleware } = openSteps([1, 2], '--reply_timeout_ms=300');
    const controller = lab.controller({ ids: [1, 2], onStart: () => undefined });
    controller.signIn();
    await answer(controller, 1, [1]);
    const line = await middleware.untilLogged('reply time-out');
    expect(line.controllers).toEqual([2]);
    await middleware.untilLogged('controller 2 is late');
    // Named again later, and still waited for.
    await middleware.untilLogged('waiting for the reply of controller 2');
    expect(controller.startSignals.items).toHaveLength(1);

    await answer(controller, 1, [2]);
    await answer(controller, 2);
    await controller.startSignals.untilCount(3);
    await middleware.untilLogged('controller 2 is ready');
    expect(middleware.logged('reply time-out')).toHaveLength(1);
  });

  it('ends the run with exit code 4 with the policy halt', async () => {
    const { lab, middleware } = openSteps(
      [1, 2],
      '--reply_timeout_ms=300',
      '--reply_timeout_policy=halt',
    );
    const controller = lab.controller({ ids: [1, 2], onStart: () => undefined });
    controller.signIn();
    await answer(controller, 1);
    await answer(controller, 2, [2]);
    expect(await middleware.ended).toEqual({ code: 4, signal: null });
    expect(middleware.logged('a step was not answered in time')).toHaveLength(1);
    expect(controller.triggers.items).toEqual([stopSymbol]);
    expect(middleware.summary()).toMatchObject({
      start_signals: 2,
      controllers: { 1: { replies: 1 }, 2: { replies: 2 } },
    });
  });

  it('leaves the controller out with the policy drop, until it signs in again', async () => {
    const { lab, middleware } = openSteps(
      [1, 2],
      '--reply_timeout_ms=800',
      '--reply_timeout_policy=drop',
      '--real_time_factor=1',
    );
    let answers = true;
    const steady = lab.controller({ ids: [1] });
    const moody = lab.controller({
      ids: [2],
      onStart: (list, self) => {
        if (answers) self.answer(list);
      },
    });
    steady.signIn();
    moody.signIn();
    await moody.startSignals.untilCount(3);
    answers = false;
    await middleware.untilLogged('controller 2 is dead');
    expect(middleware.logged('reply time-out')).toMatchObject([{ controllers: [2] }]);
    const answered = moody.sent.length;

    // Time goes on without it, and what it says now is not passed on.
    const { list } = await steady.startSignals.untilCount(answered + 5);
    moody.answer(list);
    const refused = await middleware.untilLogged('command refused');
    expect(refused.msg).toContain('came from a controller that does not take part');

    answers = true;
    moody.signIn();
    await middleware.untilLogged('controller 2 is working');
    const rejoined = steady.startSignals.items.length;
    await steady.startSignals.untilCount(rejoined + 5);
    middleware.signal('SIGTERM');
    await middleware.ended;
    const { controllers, commands_refused } = middleware.summary();
    // The run may end before the reply to the last start signal comes.
    expect(controllers[2]?.replies).toBeGreaterThanOrEqual(answered + 4);
    expect(controllers[2]?.replies).toBeLessThanOrEqual(controllers[1]?.replies ?? 0);
    expect(Object.keys(commands_refused)).toEqual(['HLC_COMMAND_NOT_TAKING_PART']);
    expect(middleware.logged('reply time-out')).toHaveLength(1);
  });
});
