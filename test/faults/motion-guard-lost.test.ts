import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { startCommand } from '../support/gateway-program.js';
import { nowUs } from '../support/judged-lab.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds } from './driven-kinds.js';
import { motionTest } from './motion-row.js';

const periodMs = 50;
/** The default of --guard-after-ms, s. */
const guardAfterS = 0.3;
/** The vehicles are watched for so long without a guard, s. */
const watchedS = 1;
/** Of the run; it exists as long as the test. */
let socket: string | undefined;

/** The only child of a process. */
function childOf(pid = 0): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(child);
}

motionTest(
  { row: 44, fault: 'the guard is killed, another one is started, then kill -9 of the middleware' },
  [
    {
      name: 'guard SIGKILL: no vehicle is stopped; then SIGKILL of the middleware',
      vehicles: allKinds,
      get flags() {
        socket ??= path.join(temporaryFolder(), 'control.sock');
        return [`--period-ms=${periodMs}`, `--control-socket=${socket}`, '--guard'];
      },
      start: { group: true },
      detectionS: guardAfterS,
      fault: async ({ lab, middleware }) => {
        const { pid = 0 } = middleware.program;
        const rests = () => lab.judge.events.items.filter(({ event }) => event === 'rest').length;
        const restsBefore = rests();
        // As the kernel does it when memory is short.
        process.kill(childOf(pid), 'SIGKILL');
        await middleware.untilLogged('the guard ended (SIGKILL)');
        await lab.untilTime(nowUs() + watchedS * 1e6);
        expect(middleware.logged('the guard ended')).toHaveLength(1);
        expect(middleware.logs.items.filter(({ msg }) => msg.includes('is being stopped'))).toEqual(
          [],
        );
        expect(rests()).toBe(restsBefore);
        const guard = startCommand(
          lab.uri,
          'guard',
          `--control-socket=${socket}`,
          '--log-format=json',
        );
        await guard.stderr.until((line) => line.includes('the guard waits for middlewares'));
        await lab.untilTime(nowUs() + watchedS * 1e6);
        process.kill(pid, 'SIGKILL');
        return nowUs();
      },
    },
  ],
);
