import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { type JudgedVehicle, nowUs } from '../support/judged-lab.js';
import type { MiddlewareStart } from '../support/middleware.js';
import {
  allKinds,
  allKindsAndPlaces,
  placeFollower,
  simulatedKinds,
  weakFollower,
  withDrive,
  withModel,
} from './driven-kinds.js';
import { guarded } from './guarded-lab.js';
import {
  detectionS,
  expectEnd,
  inSimulatedTime,
  motionTest,
  preloaded,
  type MotionScenario,
  type RunningLab,
} from './motion-row.js';

const periodMs = 50;
const period = [`--period-ms=${periodMs}`];

/** The exit code after an emergency stop. */
const emergencyExit = 6;

/** The program with its outputs redirected by a shell. */
function through(redirection: string): MiddlewareStart {
  return { through: ['sh', '-c', `exec "$@" ${redirection}`, 'sh'] };
}

/** The program in a pipe of a shell. */
function into(reader: string): MiddlewareStart {
  return { through: ['sh', '-c', `"$@" 2>&1 | ${reader}`, 'sh'] };
}

/** A controller hangs while the log has this fault; the other one is served on. */
function badLog(name: string, start: MiddlewareStart, flags: readonly string[] = []) {
  const [first, second] = [allKinds.slice(0, -1), allKinds.slice(-1)];
  return {
    name,
    vehicles: allKinds,
    controllers: [first, second],
    judged: first,
    flags: [...period, ...flags],
    start,
    detectionS: detectionS(periodMs),
    fault: ({ controller }: RunningLab) => controller.signal('SIGSTOP'),
    after: async ({ middleware, controllers: [, other] }: RunningLab) => {
      expect(middleware.program.gone, 'the middleware ended').toBe(false);
      await other?.untilStarts(10);
    },
  };
}

motionTest({ row: 32, fault: 'a controller hangs, and the log cannot be written' }, [
  badLog('full disk', through('2>/dev/full >/dev/full')),
  badLog('read by head -n 1', into('head -n 1')),
  badLog('closed', through('2>&- >&-')),
]);

motionTest(
  { row: 32, fault: 'a controller hangs, and the log is not read, or the table cannot be written' },
  [
    badLog('read by sleep', into('sleep 60'), ['--log-level=trace']),
    badLog('table on a full disk', through('>/dev/full'), ['--table=on']),
  ],
);

/** Both stamps of all commands are ahead by 200 ms. */
const clockAhead = {
  vehicles: withDrive(allKinds, { early: 200 }),
  flags: [...period, '--clock-tolerance-us=300000'],
};

motionTest({ row: 33, fault: 'JavaScript stands still for 3 s' }, [
  stalled('controllers go on', () => undefined),
  stalled('and a controller hangs', ({ controller }) => controller.signal('SIGSTOP')),
  { ...stalled('vehicles follow places', () => undefined), vehicles: placeFollower },
  { ...stalled('the clock of the controller is ahead by 200 ms', () => undefined), ...clockAhead },
]);

function stalled(name: string, also: (running: RunningLab) => void): MotionScenario {
  return {
    name,
    vehicles: allKinds,
    flags: period,
    start: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=3000'] }),
    // A hang of JavaScript is declared after 1 s.
    detectionS: 1 + periodMs / 1000,
    fault: (running) => {
      running.middleware.signal('SIGUSR2');
      also(running);
    },
  };
}

// Each wake-up comes late.
motionTest({ row: 33, fault: 'JavaScript stands still for 0.25 s again and again' }, [
  {
    ...stalled('a controller hangs', ({ controller }) => controller.signal('SIGSTOP')),
    start: preloaded('stall.mjs', {
      variables: ['HLC_TEST_STALL_MS=250', 'HLC_TEST_STALL_AGAIN=1'],
    }),
    // At every fourth wake-up at least, the vehicles are judged, and stops go on.
    detectionS: detectionS(periodMs) + 2 * 4 * 0.25,
  },
]);

// Each wake-up comes so late that the vehicles are not judged in the time of a hang: that is one.
motionTest({ row: 33, fault: 'JavaScript stands still for 0.9 s again and again' }, [
  {
    ...stalled('a controller hangs', ({ controller }) => controller.signal('SIGSTOP')),
    start: preloaded('stall.mjs', {
      variables: ['HLC_TEST_STALL_MS=900', 'HLC_TEST_STALL_AGAIN=1'],
    }),
  },
]);

/** JavaScript stands still for so long, ms, from the begin of a stop on: shorter than a hang. */
const stalledMs = 900;

motionTest({ row: 33, fault: 'JavaScript stands still for 0.9 s while vehicles brake' }, [
  {
    ...stalled('a controller hangs', () => undefined),
    // A ramp that is as long as the standstill.
    vehicles: withDrive(allKinds, { v: 1.6 }),
    start: preloaded('stall.mjs', { variables: [`HLC_TEST_STALL_MS=${stalledMs}`] }),
    detectionS: detectionS(periodMs),
    fastestMps: 1.6,
    fault: async ({ lab, middleware, controller }) => {
      const faultUs = nowUs();
      controller.signal('SIGSTOP');
      const { stderr } = middleware.program;
      const stopped = lab.vehicles.map(({ id }) =>
        stderr.until((line) => line.includes(`vehicle ${id} is being stopped`)),
      );
      await Promise.all(stopped);
      middleware.signal('SIGUSR2');
      return faultUs;
    },
  },
]);

/** Some time after the commands: those that wait come into force between two repetitions of a stop. */
async function betweenStarts({ controller, middleware }: RunningLab): Promise<number> {
  await controller.next('start');
  await setTimeout(25);
  const faultUs = nowUs();
  middleware.signal('SIGUSR2');
  return faultUs;
}

/** JavaScript hangs, and the whole process is suspended from and until then, s after the begin of the hang. */
function hungAndSuspended(fromS: number, untilS: number): MotionScenario {
  return {
    name: `SIGSTOP after ${fromS} s, SIGCONT after ${untilS} s`,
    vehicles: allKinds,
    flags: period,
    start: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=8000'] }),
    // A hang counts after 1 s, and 0.3 s after the suspension.
    detectionS: Math.max(1, untilS + 0.3) + periodMs / 1000,
    fault: async (running) => {
      const { lab, middleware } = running;
      const faultUs = await betweenStarts(running);
      await lab.untilTime(faultUs + fromS * 1e6);
      middleware.signal('SIGSTOP');
      await lab.untilTime(faultUs + untilS * 1e6);
      middleware.signal('SIGCONT');
      return faultUs;
    },
  };
}

// Until shortly before the limit of a hang, 1 s, and beyond it.
motionTest({ row: 33, fault: 'JavaScript stands still for 8 s, and the process is suspended' }, [
  hungAndSuspended(0.7, 0.95),
  hungAndSuspended(0.7, 1.2),
]);

/** The middleware is suspended for so long, s: shorter than a hang. */
const suspendedS = 0.5;

/** The middleware is suspended for 0.5 s, runs for a moment, ms, and its JavaScript hangs then. */
function hungOnReturn(runsMs: number): MotionScenario {
  const suspendedS = 0.5;
  return {
    name: `SIGSTOP for ${suspendedS} s, hangs ${runsMs} ms later`,
    vehicles: allKindsAndPlaces,
    flags: period,
    start: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=8000'] }),
    // A hang counts 1 s after the control loop was last awake: 0.1 s after the suspension at the latest.
    detectionS: suspendedS + runsMs / 1000 + 0.1 + 1,
    fault: async ({ lab, middleware }) => {
      const faultUs = nowUs();
      middleware.signal('SIGSTOP');
      await lab.untilTime(faultUs + suspendedS * 1e6);
      middleware.signal('SIGCONT');
      await lab.untilTime(nowUs() + runsMs * 1000);
      middleware.signal('SIGUSR2');
      return faultUs;
    },
  };
}

motionTest(
  { row: 33, fault: 'the middleware is suspended for 0.5 s, and its JavaScript hangs just after' },
  [hungOnReturn(0), hungOnReturn(20)],
);

motionTest(
  { row: 33, fault: 'SIGSTOP of the middleware for 0.5 s while it brakes, without a guard' },
  [
    {
      name: 'suspended',
      vehicles: [...allKinds, ...placeFollower.map((vehicle) => ({ ...vehicle, id: 20 }))],
      flags: period,
      detectionS: detectionS(periodMs) + suspendedS,
      fault: async ({ lab, middleware, controller }) => {
        const faultUs = nowUs();
        controller.signal('SIGSTOP');
        await middleware.program.stderr.until((line) => line.includes('is being stopped'));
        middleware.signal('SIGSTOP');
        await lab.untilTime(nowUs() + suspendedS * 1e6);
        middleware.signal('SIGCONT');
        return faultUs;
      },
    },
  ],
);

/** Longer than a hang; then JavaScript is back at once. */
const longSuspendedS = 1.2;

const suspendedDetectionS = longSuspendedS + 0.3 + periodMs / 1000;
const withoutStates = withModel(allKinds, { states: 'off' });

/** @param signal sends a signal to what is suspended. */
async function suspendedFor(lab: RunningLab['lab'], signal: (name: NodeJS.Signals) => void) {
  const faultUs = nowUs();
  signal('SIGSTOP');
  await lab.untilTime(faultUs + longSuspendedS * 1e6);
  signal('SIGCONT');
  return faultUs;
}

motionTest({ row: 33, fault: 'SIGSTOP of the middleware for 1.2 s, no states' }, [
  {
    name: 'no guard',
    vehicles: withoutStates,
    flags: period,
    detectionS: suspendedDetectionS,
    fault: ({ lab, middleware }) => suspendedFor(lab, (name) => middleware.signal(name)),
  },
  guarded('a guard that acts later', periodMs, ({ lab, kill }) => suspendedFor(lab, kill), {
    vehicles: withoutStates,
    detectionS: suspendedDetectionS,
    more: ['--guard-after-ms=3000'],
  }),
  // The signal reaches the guard, too: it counts only the time in which it was awake.
  guarded(
    'a guard that is suspended, too',
    periodMs,
    ({ lab, middleware }) => suspendedFor(lab, (name) => middleware.signal(name)),
    { vehicles: withoutStates, detectionS: suspendedDetectionS },
  ),
]);

const onlyLogged = [...period, '--miss-policy=log'];

// The stop trigger of the pacer ends a controller: nobody drives the vehicles when the middleware goes on.
motionTest({ row: 33, fault: 'the middleware hangs, no states, --miss-policy=log' }, [
  {
    name: 'SIGSTOP for 1.2 s',
    vehicles: withoutStates,
    flags: onlyLogged,
    detectionS: suspendedDetectionS,
    fault: async ({ lab, middleware, controller }) => {
      controller.order('silent');
      return await suspendedFor(lab, (name) => middleware.signal(name));
    },
  },
  {
    ...stalled('JavaScript stands still for 3 s, and SIGINT later', ({ controller }) =>
      controller.order('silent'),
    ),
    vehicles: withoutStates.filter(({ model = {} }) => !('timeout' in model)),
    flags: [...onlyLogged, '--vehicle-timeout-ms=0'],
    watchedS: 4,
    after: async (running) => {
      running.middleware.signal('SIGINT');
      await expectEnd(running, 130);
    },
  },
]);

/** The JavaScript thread of the middleware fails as `inject.mjs` says. */
function failing(what: string): Omit<MotionScenario, 'name'> {
  return {
    vehicles: allKinds,
    flags: period,
    start: preloaded('inject.mjs', { variables: [`HLC_TEST_FAULT=${what}`] }),
    detectionS: (2 * periodMs) / 1000,
    fault: ({ middleware }) => middleware.signal('SIGUSR2'),
    after: (running) => expectEnd(running, emergencyExit),
  };
}

/** It also stands still for so long before, ms: a hang counts from 1 s on. */
function failingLate(stallMs: number): MotionScenario {
  return {
    ...failing('stall'),
    name: `after it stood still for ${stallMs} ms`,
    vehicles: allKindsAndPlaces,
    start: preloaded('inject.mjs', {
      variables: ['HLC_TEST_FAULT=stall', `HLC_TEST_STALL_MS=${stallMs}`],
    }),
    detectionS: Math.min(stallMs, 1000) / 1000 + (2 * periodMs) / 1000,
  };
}

motionTest({ row: 34, fault: 'an exception in the middleware, which stood still before' }, [
  ...[300, 900, 1500].map(failingLate),
  {
    ...failing('stall'),
    name: 'after it was suspended for 400 ms',
    vehicles: allKindsAndPlaces,
    start: preloaded('inject.mjs', { variables: ['HLC_TEST_FAULT=stall', 'HLC_TEST_STALL_MS=0'] }),
    detectionS: 0.4 + (2 * periodMs) / 1000,
    fault: async ({ lab, middleware }) => {
      const faultUs = nowUs();
      middleware.signal('SIGSTOP');
      middleware.signal('SIGUSR2');
      await lab.untilTime(faultUs + 0.4e6);
      middleware.signal('SIGCONT');
      return faultUs;
    },
  },
]);

// The prepared stop is older than the last commands.
motionTest({ row: 33, fault: 'JavaScript stands still for 20 s', mode: 'simulated time' }, [
  ...(['create', 'valid'] as const).flatMap((rank) =>
    [0, 150].map((ahead) => ({
      ...stalled(`--hang-limit-ms=500, newest by ${rank}, ${ahead} ms ahead`, () => undefined),
      vehicles: withDrive(fleetOf(withModel(simulatedKinds, { rank })), { ahead }),
      flags: [...inSimulatedTime, '--hang-limit-ms=500'],
      start: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=20000'] }),
      // Commands that wait come into force until then.
      detectionS: 0.5 + (periodMs + ahead) / 1000,
    })),
  ),
]);

/** 24 vehicles, as many as get their emergency samples anew by parts. */
function fleetOf(vehicles: readonly JudgedVehicle[]): readonly JudgedVehicle[] {
  return Array.from({ length: 24 / vehicles.length }, () => vehicles)
    .flat()
    .map((vehicle, i) => ({ ...vehicle, id: i + 1, name: `${vehicle.name} ${i + 1}` }));
}

motionTest(
  {
    row: 34,
    fault: 'an exception in the middleware, which stood still before',
    mode: 'simulated time',
  },
  [0, 300, 600].map((stallMs) => ({
    ...failingLate(stallMs),
    vehicles: fleetOf(simulatedKinds),
    flags: inSimulatedTime,
  })),
);

motionTest({ row: 34, fault: 'an exception in the middleware', mode: 'simulated time' }, [
  ...['exception', 'codec', 'rules'].map((what) => ({
    name: what,
    ...failing(what),
    vehicles: fleetOf(simulatedKinds),
    flags: inSimulatedTime,
  })),
]);

motionTest({ row: 34, fault: 'an exception in the middleware' }, [
  ...['exception', 'rejection', 'codec', 'rules'].map((what) => ({ name: what, ...failing(what) })),
  {
    ...failing('exit'),
    name: 'something calls process.exit',
    after: (running) => expectEnd(running, 0),
  },
  {
    ...failing('exception'),
    ...clockAhead,
    name: 'exception, the clock of the controller is ahead by 200 ms',
    fault: betweenStarts,
  },
  {
    ...failing('exception'),
    name: 'exception, commands hold 200 ms later',
    vehicles: withDrive(allKinds, { ahead: 200 }),
    fault: betweenStarts,
  },
  {
    ...failing('exception'),
    name: 'exception, vehicles follow places, T 400 ms',
    vehicles: fleetOf(placeFollower),
    flags: ['--period-ms=400'],
  },
  {
    ...failing('exception'),
    name: 'exception, a vehicle at 2 m/s that follows places brakes as declared',
    vehicles: weakFollower(),
    fastestMps: 2,
  },
  {
    ...badLog(
      'display, and a controller hangs',
      preloaded('inject.mjs', { variables: ['HLC_TEST_FAULT=display'] }),
      ['--table=on'],
    ),
    fault: async ({ middleware, controller }) => {
      middleware.signal('SIGUSR2');
      await controller.untilStarts(10);
      const { t } = await controller.next('start');
      controller.signal('SIGSTOP');
      return t;
    },
  },
]);
