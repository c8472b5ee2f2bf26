import { expect } from 'vitest';
import type { ChildProgram } from '../support/child-program.js';
import { nowUs } from '../support/judged-lab.js';
import { allKinds, allKindsAndPlaces, withDrive, withModel } from './driven-kinds.js';
import {
  addGuard,
  guardAfterS,
  guarded,
  guardOf,
  killUntilGuardStops,
  startGuard,
  untilStopping,
} from './guarded-lab.js';
import { motionTest, preloaded } from './motion-row.js';

const periodMs = 50;
const stopAfterS = guardAfterS(periodMs);
/** The vehicles are watched for so long without a guard, s. */
const watchedS = 1;

/** Two guards send each vehicle at most so many commands of each kind per second. */
const mostCommands = 50;

motionTest({ row: 44, fault: 'kill -9 of the middleware, then SIGTERM to the guard that brakes' }, [
  guarded(
    'SIGKILL of the middleware, SIGTERM to the guard',
    periodMs,
    async (lab) => {
      const { faultUs, guard } = await killUntilGuardStops(lab);
      process.kill(guard, 'SIGTERM');
      return faultUs;
    },
    {
      after: async ({ middleware }) => {
        const ends = 'ends when its vehicles stand';
        await middleware.program.stderr.until((line) => line.includes(ends));
      },
    },
  ),
]);

motionTest(
  { row: 44, fault: 'kill -9 of the middleware, then a fault in the guard that brakes' },
  ['exception', 'rules', 'exit', 'end'].map((what) =>
    guarded(
      what,
      periodMs,
      async (running) => {
        const { faultUs, guard } = await killUntilGuardStops(running);
        process.kill(guard, 'SIGUSR2');
        if (what === 'end') process.kill(guard, 'SIGTERM');
        return faultUs;
      },
      {
        from: preloaded('inject.mjs', { variables: [`HLC_TEST_FAULT=${what}`] }),
        vehicles: allKindsAndPlaces,
      },
    ),
  ),
);

/** The guard stands still for so long, ms, from 0.1 s after the kill on, and fails then. */
const stalledMs = 250;

motionTest({ row: 44, fault: 'kill -9 of the middleware, then a fault in the guard that slept' }, [
  guarded(
    `an exception after it stood still for ${stalledMs} ms`,
    periodMs,
    async (running) => {
      const guard = guardOf(running);
      const faultUs = nowUs();
      running.kill('SIGKILL');
      await running.lab.untilTime(faultUs + 0.1e6);
      process.kill(guard, 'SIGUSR2');
      return faultUs;
    },
    {
      from: preloaded('inject.mjs', {
        variables: ['HLC_TEST_FAULT=stall', `HLC_TEST_STALL_MS=${stalledMs}`],
      }),
      vehicles: allKindsAndPlaces,
      detectionS: 0.1 + stalledMs / 1000 + 0.1,
    },
  ),
]);

/** The guard is suspended for so long, and then looks for 0.1 s what came meanwhile, s. */
const suspendedS = 0.5;
const lookingS = 0.1;

motionTest({ row: 44, fault: 'kill -9 of the middleware, then SIGSTOP of the guard for 0.5 s' }, [
  guarded(
    'the guard is suspended while it brakes',
    periodMs,
    async (running) => {
      const { faultUs, guard } = await killUntilGuardStops(running);
      process.kill(guard, 'SIGSTOP');
      await running.lab.untilTime(nowUs() + suspendedS * 1e6);
      process.kill(guard, 'SIGCONT');
      return faultUs;
    },
    {
      vehicles: allKindsAndPlaces,
      detectionS: stopAfterS + suspendedS + lookingS,
    },
  ),
]);

/** JavaScript of the guard stands still for so long, ms, from the begin of its stop on. */
const standstillMs = 900;

motionTest(
  { row: 44, fault: 'kill -9 of the middleware, then JavaScript of the guard stands still' },
  [
    guarded(
      `for ${standstillMs / 1000} s while it brakes`,
      periodMs,
      async (running) => {
        const { faultUs, guard } = await killUntilGuardStops(running);
        process.kill(guard, 'SIGUSR2');
        return faultUs;
      },
      {
        // A ramp that is nearly as long as the standstill.
        vehicles: withDrive(allKinds, { v: 1.6 }),
        fastestMps: 1.6,
        from: preloaded('stall.mjs', { variables: [`HLC_TEST_STALL_MS=${standstillMs}`] }),
      },
    ),
  ],
);

/** JavaScript of the guard stands still for so long again and again, s: each of its wake-ups comes late. */
const stalledS = 0.15;

motionTest({ row: 44, fault: 'kill -9 of the middleware while its guard is overloaded' }, [
  guarded(
    `the guard stands still for ${stalledS} s again and again`,
    periodMs,
    (running) => {
      process.kill(guardOf(running), 'SIGUSR2');
      running.kill('SIGKILL');
    },
    {
      from: preloaded('stall.mjs', {
        variables: [`HLC_TEST_STALL_MS=${stalledS * 1000}`, 'HLC_TEST_STALL_AGAIN=1'],
      }),
      // Each second wake-up counts as 50 ms of silence, and lets a stop go on.
      detectionS: ((2 * stopAfterS) / 0.05 + 2) * (stalledS + 0.025),
    },
  ),
]);

let killedUs = 0;

motionTest({ row: 44, fault: 'two guards, then kill -9 of the middleware' }, [
  guarded(
    `at most ${mostCommands} commands of each kind per second and vehicle`,
    periodMs,
    ({ kill }) => {
      killedUs = nowUs();
      kill('SIGKILL');
      return killedUs;
    },
    {
      begin: async (running) => {
        await addGuard(running, '--control-socket=off');
        await running.middleware.program.stderr.until((line) => line.includes('another guard'));
      },
      after: ({ lab }) => {
        const fromUs = killedUs + stopAfterS * 1e6;
        const counts = [...lab.commandCounts(fromUs, fromUs + 1e6).values()];
        expect(counts.length).toBeGreaterThanOrEqual(allKinds.length);
        expect(Math.max(...counts)).toBeLessThanOrEqual(mostCommands);
      },
    },
  ),
]);

const noTimeOut = '--vehicle-timeout-ms=0';
let laterGuard: ChildProgram | undefined;

motionTest({ row: 44, fault: 'two guards that act 1.2 s apart, and kill -9 of the middleware' }, [
  guarded('SIGKILL of the middleware, no states', periodMs, ({ kill }) => kill('SIGKILL'), {
    // States would show the second guard that the vehicles stand.
    vehicles: withModel(allKindsAndPlaces, { states: 'off' }),
    more: [noTimeOut],
    begin: async (running) => {
      laterGuard = await addGuard(
        running,
        ...['--control-socket=off', '--guard-after-ms=1500', noTimeOut],
      );
    },
    after: async () => {
      if (laterGuard !== undefined) await untilStopping(laterGuard);
    },
  }),
]);

motionTest(
  { row: 44, fault: 'the guard is killed, another one is started, then kill -9 of the middleware' },
  [
    guarded(
      'guard SIGKILL: no vehicle is stopped; then SIGKILL of the middleware',
      periodMs,
      async (running) => {
        const { lab, middleware, socket } = running;
        const rests = () => lab.judge.events.items.filter(({ event }) => event === 'rest').length;
        const restsBefore = rests();
        // As the kernel does it when memory is short.
        process.kill(guardOf(running), 'SIGKILL');
        await middleware.untilLogged('the guard ended (SIGKILL)');
        await lab.untilTime(nowUs() + watchedS * 1e6);
        expect(middleware.logged('the guard ended')).toHaveLength(1);
        expect(middleware.logs.items.filter(({ msg }) => msg.includes('is being stopped'))).toEqual(
          [],
        );
        expect(rests()).toBe(restsBefore);
        await addGuard(running, `--control-socket=${socket}`);
        await lab.untilTime(nowUs() + watchedS * 1e6);
        running.kill('SIGKILL');
        return nowUs();
      },
    ),
  ],
);

/** A guard looks for so long who drives a vehicle that it finds latched, and is started within 2 s. */
const nextGuardS = 2 + 0.6;

motionTest(
  { row: 44, fault: 'kill -9 of the middleware and of the guard that brakes, a new guard' },
  [
    guarded(
      'SIGKILL of the middleware and of the guard, another guard is started',
      periodMs,
      async (running) => {
        const { faultUs, guard } = await killUntilGuardStops(running);
        // The latch file is written, and the vehicles still move.
        await running.lab.untilTime(nowUs() + 200_000);
        process.kill(guard, 'SIGKILL');
        const flags = [`--period-ms=${periodMs}`, `--control-socket=${running.socket}`];
        await untilStopping(startGuard(running, ...flags));
        return faultUs;
      },
      { detectionS: stopAfterS + nextGuardS },
    ),
  ],
);
