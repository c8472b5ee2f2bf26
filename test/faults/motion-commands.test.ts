import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { nowUs, type JudgedVehicle } from '../support/judged-lab.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds, singleKinds, withDrive, withModel } from './driven-kinds.js';
import { detectionS, motionTest, type MotionScenario, type RunningLab } from './motion-row.js';

const periodMs = 50;
const period = [`--period-ms=${periodMs}`];
const flagAll = '--check-policy=flag';
const hang = ({ controller }: RunningLab) => controller.signal('SIGSTOP');

/** True for a vehicle all of whose commands name places. */
function namesPlaces({ drive }: JudgedVehicle): boolean {
  return /^[tp]+$/.test(String(drive.kinds));
}

/** All numbers, or only the places of paths and trajectories. */
const odds = ['highest', 'lowest', 'inf', 'nan', 'places'];

/** From now on all commands are odd like this. */
function becomeOdd({ lab, controller }: RunningLab, odd: string): void {
  for (const { id } of lab.vehicles) controller.order(`set ${id} odd=${odd}`);
}

motionTest(
  {
    row: 35,
    fault: 'commands with huge numbers or none (±1.8e308, infinite, NaN, places of 1e300)',
  },
  odds.map((odd) => ({
    name: odd,
    vehicles: allKinds,
    // The other kinds name no places: their commands stay in order.
    judged: odd === 'places' ? allKinds.filter(namesPlaces) : allKinds,
    flags: period,
    // The last good command may be a period old.
    detectionS: detectionS(periodMs) + periodMs / 1000,
    fault: (running) => becomeOdd(running, odd),
  })),
);

motionTest(
  { row: 35, fault: 'a controller hangs after such commands, with --check-policy=flag' },
  odds.map((odd) => ({
    name: odd,
    vehicles: allKinds,
    flags: [...period, flagAll],
    detectionS: detectionS(periodMs),
    fastestMps: 5,
    // Between huge places a vehicle interpolates with what is left of its numbers.
    ...(odd === 'places' && { rippleMps: 0.15 }),
    fault: async (running) => {
      becomeOdd(running, odd);
      // Until the vehicles drive at one speed again.
      await running.controller.untilStarts(40);
      const atUs = nowUs();
      hang(running);
      return atUs;
    },
  })),
);

/** A last command that holds later, of the vehicle's own kind or of any. */
function stampedAhead(
  name: string,
  aheadMs: number,
  flags: readonly string[] = [],
): MotionScenario {
  return {
    name,
    vehicles: allKinds,
    flags: [...period, ...flags],
    detectionS: detectionS(periodMs) + Math.min(aheadMs, periodMs) / 1000,
    watchedS: 9,
    fault: async ({ lab, controller }) => {
      for (const { id, drive } of lab.vehicles) {
        const [own = 'd'] = String(drive.kinds);
        const kind = id % 2 === 0 ? own : ('dstp'[(id >> 1) % 4] ?? 'd');
        controller.order(`extra ${id} ${kind} ${aheadMs} 1`);
      }
      const last = lab.vehicles.at(-1)?.id;
      await controller.events.until(({ event, id }) => event === 'extra' && id === last);
      const atUs = nowUs();
      controller.signal('SIGSTOP');
      return atUs;
    },
  };
}

/** The last path of each vehicle lets it turn round, in the middle of its stop. */
function turningRound(name: string, vehicles: readonly JudgedVehicle[]): MotionScenario {
  const fastMps = 1.6;
  return {
    name,
    vehicles: withDrive(vehicles, { v: fastMps }),
    flags: period,
    detectionS: detectionS(periodMs),
    fastestMps: fastMps,
    fault: async ({ lab, controller }) => {
      for (const { id } of lab.vehicles) controller.order(`extra ${id} p 600 ${-fastMps}`);
      const last = lab.vehicles.at(-1)?.id;
      await controller.events.until(({ event, id }) => event === 'extra' && id === last);
      const atUs = nowUs();
      controller.signal('SIGSTOP');
      return atUs;
    },
  };
}

motionTest(
  { row: 36, fault: 'a controller hangs after a path that turns its vehicle round later' },
  [
    turningRound('good states', allKinds),
    turningRound('no states', withModel(allKinds, { states: 'off' })),
  ],
);

motionTest({ row: 36, fault: 'a controller hangs after a command that holds later' }, [
  stampedAhead('10 ms', 10),
  stampedAhead('900 ms', 900),
  stampedAhead('5 s', 5000),
  stampedAhead('5 s, flagged', 5000, [flagAll]),
  stampedAhead('10 min, flagged', 600_000, [flagAll]),
]);

motionTest({ row: 37, fault: 'kill -9 of a controller whose commands are flagged' }, [
  {
    name: 'every check on flag',
    vehicles: allKinds,
    flags: [...period, flagAll],
    detectionS: detectionS(periodMs),
    fault: ({ controller }) => controller.signal('SIGKILL'),
  },
  {
    name: 'open paths, every check on flag',
    vehicles: withDrive(allKinds, { odd: 'open' }),
    flags: [...period, flagAll],
    detectionS: detectionS(periodMs),
    fault: ({ controller }) => controller.signal('SIGKILL'),
  },
  {
    name: 'open paths, pathNotClosed on flag',
    vehicles: withDrive(allKinds, { odd: 'open' }),
    get flags() {
      return [...period, `--config=${configOf('checks:\n  pathNotClosed: flag\n')}`];
    },
    detectionS: detectionS(periodMs),
    fault: ({ controller }) => controller.signal('SIGKILL'),
  },
]);

/** Nobody controls this vehicle, so that the run does not begin. */
const absentId = 99;

motionTest(
  {
    row: 37,
    fault: 'a controller hangs that drives before the run begins, with every check on flag',
  },
  [
    {
      name: 'no start signal',
      vehicles: allKinds,
      flags: [
        ...period,
        flagAll,
        `--vehicle-ids=${[...allKinds.map(({ id }) => id), absentId].join(',')}`,
      ],
      // The last command may be a period old.
      detectionS: detectionS(periodMs) + periodMs / 1000,
      begin: ({ controller }) => controller.order(`unasked ${periodMs}`),
      fault: hang,
    },
  ],
);

function configOf(yaml: string): string {
  const file = path.join(temporaryFolder(), 'config.yaml');
  writeFileSync(file, yaml);
  return file;
}

motionTest({ row: 38, fault: 'a controller hangs, --miss-policy=hold' }, [
  {
    name: 'throttle 0.3, T 400 ms',
    vehicles: withDrive(allKinds, { v: 0.9 }),
    flags: ['--period-ms=400', '--miss-policy=hold'],
    detectionS: detectionS(400, 3 + 5),
    fault: hang,
  },
  {
    name: 'throttle 0.3, T 50 ms, --hold-periods=5',
    vehicles: withDrive(allKinds, { v: 0.9 }),
    flags: [...period, '--miss-policy=hold', '--hold-periods=5'],
    detectionS: detectionS(periodMs, 3 + 5),
    fault: hang,
  },
]);

/** The vehicles of a second controller. */
const others = singleKinds.map((vehicle) => ({
  ...vehicle,
  id: vehicle.id + 20,
  name: `${vehicle.name} of the other`,
}));

/** One controller sends huge numbers; what follows must not spoil the stop of the other's vehicles. */
function besideHuge(
  odd: string,
  then: string,
  fault: (running: RunningLab) => void,
  rest: Partial<MotionScenario> = {},
): MotionScenario {
  return {
    name: `${odd}, then ${then}`,
    vehicles: [...allKinds, ...others],
    controllers: [allKinds, others],
    judged: allKinds,
    flags: period,
    detectionS: detectionS(periodMs),
    fault: async (running) => {
      const [, other] = running.controllers;
      for (const { id } of others) other?.order(`set ${id} odd=${odd}`);
      await other?.untilStarts(10);
      const atUs = nowUs();
      fault(running);
      return atUs;
    },
    ...rest,
  };
}

motionTest({ row: 39, fault: 'a controller sends huge numbers, then the other one hangs' }, [
  besideHuge('highest', 'a hang', hang),
  besideHuge('places', 'a hang', hang),
  besideHuge('places', 'SIGTERM', ({ middleware }) => middleware.signal('SIGTERM'), {
    detectionS: 0.1,
  }),
]);
