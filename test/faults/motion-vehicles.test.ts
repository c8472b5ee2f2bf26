import { nowUs, type VehicleOptions } from '../support/judged-lab.js';
import { allKinds, placeFollower, singleKinds, withDrive, withModel } from './driven-kinds.js';
import { guarded } from './guarded-lab.js';
import { detectionS, motionTest, type MotionScenario, type RunningLab } from './motion-row.js';

const periodMs = 50;
const hang = ({ controller }: RunningLab) => controller.signal('SIGSTOP');

/** Fast, and still within the range of the throttle, m/s. */
const fastMps = 2.7;

/** A controller hangs whose vehicles say something else about themselves than is true. */
function saying(name: string, model: VehicleOptions, v: number): MotionScenario {
  return {
    name: `${name}, ${v} m/s`,
    vehicles: withDrive(withModel(allKinds, model), { v }),
    flags: [`--period-ms=${periodMs}`],
    detectionS: detectionS(periodMs),
    fastestMps: v,
    fault: hang,
  };
}

motionTest(
  { row: 40, fault: 'a controller hangs, and its vehicles send no states, or wrong ones' },
  [
    saying('no states', { states: 'off' }, 1),
    saying('no states', { states: 'off' }, fastMps),
    saying('pose stuck', { pose: 'stuck' }, fastMps),
    saying('states 10 min ahead', { future: 600_000 }, fastMps),
    {
      name: 'states end with the fault, 1 m/s',
      vehicles: allKinds,
      flags: [`--period-ms=${periodMs}`],
      detectionS: detectionS(periodMs),
      fault: (running) => {
        for (const { id } of running.lab.vehicles) running.lab.judge.order(`set ${id} states=off`);
        hang(running);
      },
    },
  ],
);

/** A controller hangs, and its vehicle says something else about its place from so long before on. */
function losingPlace(beforeS: number, ...options: readonly string[]): MotionScenario {
  return {
    name: `${options.join(' and ')} ${beforeS} s before the fault`,
    vehicles: placeFollower,
    flags: [`--period-ms=${periodMs}`, '--vehicle-timeout-ms=0'],
    detectionS: detectionS(periodMs, 3, 0),
    fault: async (running) => {
      const { lab } = running;
      for (const { id } of placeFollower) {
        for (const option of options) lab.judge.order(`set ${id} ${option}`);
      }
      if (beforeS > 0) await lab.untilTime(nowUs() + beforeS * 1e6);
      hang(running);
      return nowUs();
    },
  };
}

motionTest({ row: 40, fault: 'a controller hangs after the places of its vehicles were lost' }, [
  losingPlace(1, 'states=off'),
  losingPlace(1, 'pose=stuck'),
  losingPlace(0, 'pose=stuck'),
  losingPlace(0, 'pose=stuck', 'speed=0'),
  losingPlace(1, 'pose=stuck', 'speed=0'),
  losingPlace(0, 'pose=frozen'),
  losingPlace(1, 'pose=frozen'),
]);

/** A controller hangs whose vehicle drives to places, and says of itself from the begin on what this option says. */
function misplaced(
  model: VehicleOptions,
  ofPeriodMs: number,
  timeoutMs: number,
  creepsS = 0,
): MotionScenario {
  const name = Object.entries(model).map((option) => option.join('='));
  return {
    name: `${name.join()}, ${ofPeriodMs} ms, ${timeoutMs === 0 ? 'no time-out' : 'default time-out'}`,
    vehicles: withModel(placeFollower, model),
    flags: [`--period-ms=${ofPeriodMs}`, `--vehicle-timeout-ms=${timeoutMs}`],
    detectionS: detectionS(ofPeriodMs, 3, timeoutMs) + creepsS,
    ...(creepsS > 0 ? { rippleMps: 0.1 } : {}),
    fault: hang,
  };
}

// How far it lags behind while it drives is not known: it closes these last centimetres slowly.
const creepsS = 2;

motionTest({ row: 40, fault: 'a controller hangs, and its vehicle is not where its states say' }, [
  misplaced({ offset: 0.25 }, periodMs, 0, creepsS),
  misplaced({ offset: 0.1 }, periodMs, 0, creepsS),
  misplaced({ offset: -0.1 }, periodMs, 0),
  misplaced({ late: 200 }, periodMs, 0),
  misplaced({ late: 1000 }, periodMs, 0),
  misplaced({ clock: 300 }, periodMs, 0),
  // The stop begins after the default time-out of vehicles: this one has none.
  misplaced({ states: 'off' }, 400, 1000),
]);

/** Orders these options to all vehicles that follow places. */
function orderAll({ lab }: RunningLab, ...options: readonly string[]): void {
  for (const { id } of placeFollower) {
    for (const option of options) lab.judge.order(`set ${id} ${option}`);
  }
}

/** Vehicles that somebody lets go after a stop of their controller. */
function letGo(name: string, fault: (running: RunningLab) => Promise<void>): MotionScenario {
  return {
    name,
    vehicles: withModel(placeFollower, { reverse: 1 }),
    flags: [`--period-ms=${periodMs}`, '--vehicle-timeout-ms=0'],
    detectionS: detectionS(periodMs, 3, 0),
    // The place of rest is exact to some centimetres.
    rippleMps: 0.12,
    fartherM: 0.05,
    stands: true,
    fault: async (running) => {
      await fault(running);
      orderAll(running, 'held=0');
      return nowUs();
    },
  };
}

const untilStopEnds = ({ middleware }: RunningLab) =>
  middleware.program.stderr.until((line) => line.includes('stands'));

motionTest({ row: 40, fault: 'somebody holds or carries a vehicle, and lets it go after a stop' }, [
  letGo('carried 0.5 m back', async (running) => {
    hang(running);
    await untilStopEnds(running);
    orderAll(running, 'held=1', 'carry=-0.5');
    await running.lab.untilTime(nowUs() + 2e6);
  }),
  letGo('held 0.3 s before its controller hangs', async (running) => {
    orderAll(running, 'held=1');
    await running.lab.untilTime(nowUs() + 0.3e6);
    hang(running);
    await untilStopEnds(running);
  }),
]);

/** Longest way back of a vehicle whose own pose jumps by so much, m, and its time, s: docs/reference/stops.md. */
const backM = (jumpM: number) => 0.4 + jumpM / 4;
/** The vehicle of the judge closes its distance to a place in twice the time. */
const backS = 2 * 1.4;

/** The own pose of a vehicle jumps ahead after a hang of its controller, when the log has this. */
function jumpingAhead(name: string, jumpM: number, when: string): MotionScenario {
  return {
    name: `${jumpM} m, ${name}`,
    vehicles: placeFollower,
    flags: [`--period-ms=${periodMs}`, '--vehicle-timeout-ms=0'],
    detectionS: detectionS(periodMs, 3, 0) + backS,
    // It drives back until the next command after its jump.
    rippleMps: jumpM,
    // Its budget of distance is that of a vehicle which drives on at 1 m/s until it is detected.
    fartherM: backM(jumpM) - (when === 'stands' ? 0 : backS),
    stands: when === 'stands',
    fault: async (running) => {
      hang(running);
      const faultUs = nowUs();
      await running.middleware.program.stderr.until((line) => line.includes(when));
      const jumpUs = nowUs();
      orderAll(running, `jump=${jumpM}`);
      return when === 'stands' ? jumpUs : faultUs;
    },
    watchedS: 5,
  };
}

motionTest(
  {
    row: 40,
    fault: 'the pose by which a vehicle drives jumps ahead, during a stop or after it',
    expected: 'driven back by less than 0.4 m and a quarter of the jump, then at rest for 3 s',
  },
  [
    jumpingAhead('while it brakes', 3, 'is being stopped'),
    jumpingAhead('when it stands', 3, 'stands'),
    jumpingAhead('when it stands', 10, 'stands'),
  ],
);

/**
 * The states end 0.2 s before a fault. When its stop has begun, the one of 1 s before the last one comes
 * once more: after that gap it is no jump.
 */
function repeatingPlace(fault: (running: RunningLab) => void, stopBegins: string) {
  return async (running: RunningLab) => {
    const { lab, middleware } = running;
    orderAll(running, 'states=off');
    await lab.untilTime(nowUs() + 0.2e6);
    const faultUs = nowUs();
    fault(running);
    await middleware.program.stderr.until((line) => line.includes(stopBegins));
    orderAll(running, 'states=old');
    return faultUs;
  };
}

motionTest(
  { row: 40, fault: 'the places of a vehicle end, and an old one comes during the stop' },
  [
    {
      name: 'a controller hangs',
      vehicles: placeFollower,
      flags: [`--period-ms=${periodMs}`, '--vehicle-timeout-ms=0'],
      detectionS: detectionS(periodMs, 3, 0),
      fault: repeatingPlace(hang, 'is being stopped'),
    },
    guarded(
      'SIGKILL of the middleware, with a guard',
      periodMs,
      ({ kill, ...running }) =>
        repeatingPlace(() => kill('SIGKILL'), ': the guard stops vehicle')(running),
      { vehicles: placeFollower, more: ['--vehicle-timeout-ms=0'] },
    ),
  ],
);

motionTest({ row: 40, fault: 'a controller hangs, and the speed sensors are stuck' }, [
  saying('0 m/s read', { speed: 0 }, 1),
  saying('0 m/s read', { speed: 0 }, fastMps),
  saying('2 m/s read', { speed: 2 }, 1),
  saying('2 m/s read', { speed: 2 }, fastMps),
]);

motionTest({ row: 40, fault: 'SIGTERM, and the states of the vehicles are wrong' }, [
  ...['states=off', 'speed=0', 'speed=2', 'pose=stuck'].map((option) => {
    const [name = '', value = ''] = option.split('=');
    return {
      name: option,
      vehicles: withDrive(withModel(allKinds, { [name]: value }), { v: fastMps }),
      flags: [`--period-ms=${periodMs}`],
      detectionS: 0.1,
      fastestMps: fastMps,
      fault: ({ middleware }: RunningLab) => middleware.signal('SIGTERM'),
    };
  }),
]);

/** As many as a lab has. */
const sixteen = [
  ...allKinds,
  ...singleKinds.slice(0, 4).map((vehicle) => ({ ...vehicle, id: vehicle.id + 20 })),
];

motionTest({ row: 41, fault: '16 vehicles at once' }, [
  {
    name: 'hang',
    vehicles: sixteen,
    flags: ['--period-ms=50'],
    detectionS: detectionS(50),
    fault: hang,
  },
  {
    name: 'SIGTERM',
    vehicles: sixteen,
    flags: ['--period-ms=50'],
    detectionS: 0.1,
    fault: ({ middleware }) => middleware.signal('SIGTERM'),
  },
]);
