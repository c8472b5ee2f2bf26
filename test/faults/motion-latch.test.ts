import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { nowUs } from '../support/judged-lab.js';
import type { Middleware } from '../support/middleware.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';
import { allKinds, withDrive } from './driven-kinds.js';
import { expectLatched, untilBack } from './latched.js';
import { detectionS, motionTest, type MotionScenario } from './motion-row.js';

const periodMs = 50;

/** A program is started, and sends its first command, after this time at the latest on a busy machine, s. */
const nextRunS = 4;

/** With a control socket, and the state file beside it, in a folder of their own. */
function latching(
  scenario: (socket: string) => Pick<MotionScenario, 'name' | 'begin' | 'fault' | 'after'>,
  detectedS = detectionS(periodMs),
  { more = [], v = 1 }: { more?: readonly string[]; v?: number } = {},
): MotionScenario {
  let made: ReturnType<typeof scenario> | undefined;
  let socket: string | undefined;
  const get = () => (made ??= scenario((socket ??= path.join(temporaryFolder(), 'control.sock'))));
  return {
    name: scenario('').name,
    vehicles: withDrive(allKinds, { v }),
    fastestMps: v,
    detectionS: detectedS,
    get flags() {
      get();
      return [`--period-ms=${periodMs}`, `--control-socket=${socket}`, ...more];
    },
    ...(scenario('').begin && { begin: (running) => get().begin?.(running) }),
    fault: (running) => get().fault(running),
    after: (running) => get().after?.(running),
  };
}

/**
 * The middleware is killed while it brakes the vehicles of a controller that hangs, and the next run
 * has these flags.
 * @param isBack the controller goes on then, and nothing moves before a resume.
 */
function killedWhileBraking(name: string, nextFlags: readonly string[], isBack = false) {
  return latching(
    (socket) => {
      let second: Middleware | undefined;
      return {
        name,
        fault: async ({ lab, middleware, controller }) => {
          controller.signal('SIGSTOP');
          for (const { id } of lab.vehicles) {
            await middleware.untilLogged(`vehicle ${id} is being stopped`);
          }
          // The vehicles still move: they stand after a second, or nearly after half of it.
          await waitUntil(() => latchedIn(`${socket}.latch`) === lab.vehicles.length);
          const killedUs = nowUs();
          middleware.signal('SIGKILL');
          await middleware.ended;
          const flags = [`--period-ms=${periodMs}`, `--control-socket=${socket}`, ...nextFlags];
          second = lab.startMiddleware(flags);
          return killedUs;
        },
        after: async (running) => {
          const { controller, middleware } = running;
          if (!isBack) return undefined;
          controller.signal('SIGCONT');
          await controller.next('start');
          return await expectLatched({ ...running, middleware: second ?? middleware }, socket);
        },
      };
    },
    nextRunS,
    // Those that get a speed are slower than half of it after 0.14 s.
    { v: 2 },
  );
}

/** How many vehicles a latch file names; 0 while it is being written. */
function latchedIn(file: string): number {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { latched: number[] }).latched.length;
  } catch {
    return 0;
  }
}

/** The lab repeats the start trigger of the first run to a second one with these flags. */
function triggeredAgain(...flags: readonly string[]): MotionScenario {
  const resume = '--resume=trigger';
  return latching(
    (socket) => ({
      name: `the trigger is repeated, then ${flags.join(' ')}`,
      begin: async ({ lab, middleware }) => {
        await middleware.untilLogged('all controllers are ready');
        lab.judge.order('trigger start');
      },
      fault: ({ controller }) => controller.signal('SIGSTOP'),
      after: async ({ lab, middleware, controller, controllers }) => {
        middleware.signal('SIGKILL');
        await middleware.ended;
        controller.signal('SIGCONT');
        lab.judge.order('trigger again');
        const all = [`--period-ms=${periodMs}`, `--control-socket=${socket}`, resume, ...flags];
        const second = lab.startMiddleware(all);
        await controller.next('start');
        return await expectLatched({ lab, middleware: second, controller, controllers }, socket);
      },
    }),
    detectionS(periodMs),
    { more: [resume, '--wait-for-start=true'] },
  );
}

motionTest({ row: 42, fault: 'a controller that hangs goes on (SIGCONT)' }, [
  latching((socket) => ({
    name: 'after the latch: at rest until a resume',
    fault: ({ controller }) => controller.signal('SIGSTOP'),
    after: async (running) => {
      running.controller.signal('SIGCONT');
      await untilBack(running);
      return await expectLatched(running, socket);
    },
  })),
  latching(() => ({
    name: 'before the latch: drives on, and a second hang is a stop',
    fault: async ({ lab, controller }) => {
      const { t = 0 } = await controller.next('start');
      controller.signal('SIGSTOP');
      await lab.untilTime(t + 1.5 * periodMs * 1000);
      controller.signal('SIGCONT');
      await controller.untilStarts(20);
      expect(lab.judge.events.items.filter(({ event }) => event === 'rest')).toEqual([]);
      const atUs = nowUs();
      controller.signal('SIGSTOP');
      return atUs;
    },
  })),
]);

motionTest({ row: 42, fault: 'the middleware is killed with a latched stop, and started again' }, [
  latching((socket) => ({
    name: 'at rest until a resume',
    fault: ({ controller }) => controller.signal('SIGSTOP'),
    after: async ({ lab, middleware, controller, controllers }) => {
      middleware.signal('SIGKILL');
      await middleware.ended;
      controller.signal('SIGCONT');
      const flags = [`--period-ms=${periodMs}`, `--control-socket=${socket}`];
      const second = lab.startMiddleware(flags);
      await controller.next('start');
      return await expectLatched({ lab, middleware: second, controller, controllers }, socket);
    },
  })),
  triggeredAgain('--wait-for-start=true'),
  triggeredAgain('--wait-for-start=false'),
  killedWhileBraking('killed while they brake: stopped by the next run', [], true),
  killedWhileBraking('the next run has other vehicles', ['--vehicle-ids=255']),
  killedWhileBraking('the next run has --resume=auto', ['--resume=auto']),
  killedWhileBraking('the next run is in simulated time', [
    '--simulated-time',
    '--time-source=self',
    '--resume=manual',
  ]),
]);
