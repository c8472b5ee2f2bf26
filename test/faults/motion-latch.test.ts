import path from 'node:path';
import { expect } from 'vitest';
import { runCli } from '../support/cli.js';
import { nowUs } from '../support/judged-lab.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds } from './driven-kinds.js';
import { detectionS, motionTest, type MotionScenario, type RunningLab } from './motion-row.js';

const periodMs = 50;
const restingS = 3;

/** With a control socket, and the state file beside it, in a folder of their own. */
function latching(
  scenario: (socket: string) => Pick<MotionScenario, 'name' | 'fault' | 'after'>,
): MotionScenario {
  let made: ReturnType<typeof scenario> | undefined;
  let socket: string | undefined;
  const get = () => (made ??= scenario((socket ??= path.join(temporaryFolder(), 'control.sock'))));
  return {
    name: scenario('').name,
    vehicles: allKinds,
    detectionS: detectionS(periodMs),
    get flags() {
      get();
      return [`--period-ms=${periodMs}`, `--control-socket=${socket}`];
    },
    fault: (running) => get().fault(running),
    after: (running) => get().after?.(running),
  };
}

/** The vehicles rest for 3 s from now on, and drive again after a resume; gives when it was sent. */
async function expectLatched({ lab }: RunningLab, socket: string): Promise<number> {
  await lab.untilTime(nowUs() + restingS * 1e6);
  const resumedUs = nowUs();
  const { code, errors } = await runCli('resume', '--control-socket', socket);
  expect(errors).toEqual([]);
  expect(code).toBe(0);
  await Promise.all(
    lab.vehicles.map((vehicle) =>
      lab.judge.events.until(
        ({ event, id, t = 0 }) => event === 'moves' && id === vehicle.id && t > resumedUs,
      ),
    ),
  );
  return resumedUs;
}

/** Settles when the controller of every vehicle is back. */
async function untilBack({ lab, middleware }: RunningLab): Promise<void> {
  for (const { id } of lab.vehicles) {
    await middleware.untilLogged(`controller ${id} is rejoining`);
  }
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
]);
