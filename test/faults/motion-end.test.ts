import { allKinds, simulatedKinds, withDrive } from './driven-kinds.js';
import {
  expectEnd,
  inSimulatedTime,
  motionTest,
  tolerance,
  type MotionScenario,
  type RunningLab,
} from './motion-row.js';

/** An end of the run is a stop at once. */
const atOnceS = 0.1;

/** The commands of every period are stamped a little ahead. */
const stampedAhead = withDrive(allKinds, { early: 9 });

/** Sends a signal to the middleware; it must end with this exit code. */
function bySignal(signal: NodeJS.Signals, code: number) {
  return {
    fault: ({ middleware }: RunningLab) => middleware.signal(signal),
    after: (running: RunningLab) => expectEnd(running, code),
  };
}

const signals: readonly [NodeJS.Signals, number][] = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
];

motionTest({ row: 14, fault: 'SIGTERM, SIGINT or SIGHUP to the middleware' }, [
  ...signals.map(([signal, code]) => ({
    name: signal,
    vehicles: signal === 'SIGTERM' ? stampedAhead : allKinds,
    flags: ['--period-ms=50'],
    detectionS: atOnceS,
    ...bySignal(signal, code),
  })),
  {
    name: 'SIGTERM, T 20 ms',
    vehicles: stampedAhead,
    flags: ['--period-ms=20', ...tolerance(20)],
    detectionS: atOnceS,
    ...bySignal('SIGTERM', 143),
  },
  {
    name: 'SIGTERM, T 400 ms',
    vehicles: allKinds,
    flags: ['--period-ms=400'],
    detectionS: atOnceS,
    ...bySignal('SIGTERM', 143),
  },
  {
    name: 'SIGTERM while a controller hangs, T 400 ms',
    vehicles: allKinds,
    flags: ['--period-ms=400'],
    detectionS: atOnceS,
    fault: ({ controller, middleware }) => {
      controller.signal('SIGSTOP');
      middleware.signal('SIGTERM');
    },
  },
]);

/** The run ends by itself at an instant that a controller sees. */
function byItself(name: string, flags: readonly string[], rest: Partial<MotionScenario>) {
  return {
    name,
    vehicles: stampedAhead,
    flags,
    detectionS: atOnceS,
    fault: async ({ controller }: RunningLab) => {
      const { t } = await controller.events.until(({ event }) => event === 'stop');
      return t;
    },
    ...rest,
  };
}

motionTest({ row: 31, fault: 'the run ends: periods over, stop trigger of the lab, halt policy' }, [
  byItself('periods over', ['--period-ms=50', '--periods=120'], {
    after: (running) => expectEnd(running, 0),
  }),
  byItself('periods over, T 400 ms', ['--period-ms=400', '--periods=12'], {}),
  byItself('stop trigger', ['--period-ms=50', '--wait-for-start=true'], {
    begin: async ({ lab, middleware }) => {
      await middleware.untilLogged('all controllers are ready');
      lab.judge.order('trigger start');
    },
    fault: ({ lab }) => lab.judge.order('trigger stop'),
    // A stop is looked at once in a period.
    detectionS: atOnceS + 0.05,
  }),
  {
    name: '--overrun-policy=halt, T 200 ms, the middleware hangs for 400 ms',
    vehicles: allKinds,
    flags: ['--period-ms=200', '--overrun-policy=halt'],
    detectionS: 0.4 + atOnceS,
    fault: async ({ lab, middleware }) => {
      const { t = 0 } = await lab.judge.next('tick');
      middleware.signal('SIGSTOP');
      await lab.untilTime(t + 400_000);
      middleware.signal('SIGCONT');
      return t;
    },
    after: (running) => expectEnd(running, 4),
  },
]);

motionTest(
  { row: 31, fault: 'a controller hangs, is killed, or the run ends', mode: 'simulated time' },
  [
    {
      name: 'hang, --reply-timeout-policy=halt',
      vehicles: simulatedKinds,
      flags: [...inSimulatedTime, '--reply-timeout-ms=300', '--reply-timeout-policy=halt'],
      detectionS: 0.35 + atOnceS,
      fault: ({ controller }) => controller.signal('SIGSTOP'),
      after: (running) => expectEnd(running, 4),
    },
    {
      name: 'hang, --reply-timeout-policy=drop',
      vehicles: simulatedKinds,
      flags: [...inSimulatedTime, '--reply-timeout-ms=300', '--reply-timeout-policy=drop'],
      detectionS: 0.35 + atOnceS,
      fault: ({ controller }) => controller.signal('SIGSTOP'),
    },
    {
      name: 'clean exit',
      vehicles: simulatedKinds,
      flags: inSimulatedTime,
      detectionS: atOnceS,
      fault: ({ controller }) => controller.order('leave'),
    },
    {
      name: 'SIGTERM',
      vehicles: simulatedKinds,
      flags: inSimulatedTime,
      detectionS: atOnceS,
      ...bySignal('SIGTERM', 143),
    },
  ],
);
