import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { startCommand } from '../support/gateway-program.js';
import { nowUs } from '../support/judged-lab.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds, placeFollower } from './driven-kinds.js';
import { motionTest } from './motion-row.js';

const periodMs = 50;
/** The default of --guard-after-ms, s. */
const guardAfterS = 0.3;
/** The vehicles are watched for so long without a guard, s. */
const watchedS = 1;
/** Of the run; it exists as long as the test. */
let socket: string | undefined;
let nextSocket: string | undefined;

/** The only child of a process. */
function childOf(pid = 0): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(child);
}

/** Flags of a middleware with a guard, and a control socket that exists as long as the test. */
function guardedFlags(): string[] {
  return [
    `--period-ms=${periodMs}`,
    `--control-socket=${path.join(temporaryFolder(), 'control.sock')}`,
    '--guard',
  ];
}

/** Two guards send each vehicle at most so many commands of each kind per second. */
const mostCommands = 50;

motionTest({ row: 44, fault: 'kill -9 of the middleware, then SIGTERM to the guard that brakes' }, [
  {
    name: 'SIGKILL of the middleware, SIGTERM to the guard',
    vehicles: allKinds,
    get flags() {
      return guardedFlags();
    },
    start: { group: true },
    detectionS: guardAfterS,
    fault: async ({ middleware }) => {
      const { pid = 0 } = middleware.program;
      const guard = childOf(pid);
      const faultUs = nowUs();
      process.kill(pid, 'SIGKILL');
      await middleware.program.stderr.until((line) => line.includes('are being stopped'));
      process.kill(guard, 'SIGTERM');
      return faultUs;
    },
    after: ({ middleware }) =>
      middleware.program.stderr.until((line) => line.includes('ends when its vehicles stand')),
  },
]);

/** The guard is suspended for so long, and then looks for 0.1 s what came meanwhile, s. */
const suspendedS = 0.5;
const lookingS = 0.1;

motionTest({ row: 44, fault: 'kill -9 of the middleware, then SIGSTOP of the guard for 0.5 s' }, [
  {
    name: 'the guard is suspended while it brakes',
    vehicles: [...allKinds, ...placeFollower.map((vehicle) => ({ ...vehicle, id: 20 }))],
    get flags() {
      return guardedFlags();
    },
    start: { group: true },
    detectionS: guardAfterS + suspendedS + lookingS,
    fault: async ({ lab, middleware }) => {
      const { pid = 0 } = middleware.program;
      const guard = childOf(pid);
      const faultUs = nowUs();
      process.kill(pid, 'SIGKILL');
      await middleware.program.stderr.until((line) => line.includes('are being stopped'));
      process.kill(guard, 'SIGSTOP');
      await lab.untilTime(nowUs() + suspendedS * 1e6);
      process.kill(guard, 'SIGCONT');
      return faultUs;
    },
  },
]);

let killedUs = 0;

motionTest({ row: 44, fault: 'two guards, then kill -9 of the middleware' }, [
  {
    name: `at most ${mostCommands} commands of each kind per second and vehicle`,
    vehicles: allKinds,
    get flags() {
      return guardedFlags();
    },
    start: { group: true },
    detectionS: guardAfterS,
    begin: async ({ lab, middleware }) => {
      startCommand(lab.uri, 'guard', '--control-socket=off', '--log-format=json');
      await middleware.program.stderr.until((line) => line.includes('another guard'));
    },
    fault: ({ middleware: { program } }) => {
      killedUs = nowUs();
      process.kill(program.pid ?? 0, 'SIGKILL');
      return killedUs;
    },
    after: ({ lab }) => {
      const fromUs = killedUs + guardAfterS * 1e6;
      const counts = [...lab.commandCounts(fromUs, fromUs + 1e6).values()];
      expect(counts.length).toBeGreaterThanOrEqual(allKinds.length);
      expect(Math.max(...counts)).toBeLessThanOrEqual(mostCommands);
    },
  },
]);

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

/** A guard looks for so long who drives a vehicle that it finds latched, and is started within 2 s. */
const nextGuardS = 2 + 0.6;

motionTest(
  { row: 44, fault: 'kill -9 of the middleware and of the guard that brakes, a new guard' },
  [
    {
      name: 'SIGKILL of the middleware and of the guard, another guard is started',
      vehicles: allKinds,
      get flags() {
        nextSocket ??= path.join(temporaryFolder(), 'control.sock');
        return [`--period-ms=${periodMs}`, `--control-socket=${nextSocket}`, '--guard'];
      },
      start: { group: true },
      detectionS: guardAfterS + nextGuardS,
      fault: async ({ lab, middleware }) => {
        const { pid = 0 } = middleware.program;
        const guard = childOf(pid);
        const faultUs = nowUs();
        process.kill(pid, 'SIGKILL');
        await middleware.program.stderr.until((line) => line.includes('are being stopped'));
        // The latch file is written, and the vehicles still move.
        await lab.untilTime(nowUs() + 200_000);
        process.kill(guard, 'SIGKILL');
        const next = startCommand(
          lab.uri,
          'guard',
          `--period-ms=${periodMs}`,
          `--control-socket=${nextSocket}`,
          '--log-format=json',
        );
        await next.stderr.until((line) => line.includes('are being stopped'));
        return faultUs;
      },
    },
  ],
);
