import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe } from 'vitest';
import { cliProgram } from '../support/middleware.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds } from './driven-kinds.js';
import { motionTest, type MotionScenario, type RunningLab } from './motion-row.js';

/** True when this version has a guard. */
const hasGuard =
  spawnSync(process.execPath, [cliProgram, 'guard', '--help'], { encoding: 'utf8' }).status === 0;

/** The default of --guard-after-ms, s. */
function guardAfterS(periodMs: number): number {
  return Math.max(300, 3 * periodMs) / 1000;
}

/** A middleware with a guard of its own; a signal reaches the middleware only. */
function guarded(
  periodMs: number,
  what: string,
  fault: (running: RunningLab, kill: (signal: NodeJS.Signals) => void) => unknown,
): MotionScenario {
  return {
    name: `T ${periodMs} ms, ${what}`,
    vehicles: allKinds,
    get flags() {
      const socket = path.join(temporaryFolder(), 'control.sock');
      return [`--period-ms=${periodMs}`, `--control-socket=${socket}`, '--guard'];
    },
    // The guard is gone with the test.
    start: { group: true },
    detectionS: guardAfterS(periodMs),
    fault: (running) =>
      fault(running, (signal) => process.kill(running.middleware.program.pid ?? 0, signal)),
  };
}

describe.runIf(hasGuard)('a guard', () => {
  motionTest({ row: 43, fault: 'kill -9 of the middleware, with a guard' }, [
    guarded(20, 'SIGKILL', (_, kill) => kill('SIGKILL')),
    guarded(50, 'SIGKILL', (_, kill) => kill('SIGKILL')),
    guarded(400, 'SIGKILL', (_, kill) => kill('SIGKILL')),
    guarded(50, 'SIGKILL and a controller hangs', ({ controller }, kill) => {
      controller.signal('SIGSTOP');
      kill('SIGKILL');
    }),
  ]);

  motionTest({ row: 43, fault: 'the middleware hangs (SIGSTOP), with a guard' }, [
    guarded(50, 'SIGSTOP', (_, kill) => kill('SIGSTOP')),
    guarded(400, 'SIGSTOP', (_, kill) => kill('SIGSTOP')),
  ]);
});
