import { allKinds, withDrive } from './driven-kinds.js';
import {
  detectionS,
  missLimitOf,
  motionTest,
  tolerance,
  type MotionScenario,
  type RunningLab,
} from './motion-row.js';

/** A lab at this period, ms. */
function at(
  periodMs: number,
  what: string,
  fault: (running: RunningLab) => unknown,
  rest: Partial<MotionScenario> = {},
): MotionScenario {
  return {
    name: `T ${periodMs} ms, ${what}`,
    vehicles: allKinds,
    flags: [`--period-ms=${periodMs}`, ...tolerance(periodMs)],
    detectionS: detectionS(periodMs, missLimitOf(periodMs)),
    fault,
    ...rest,
  };
}

const hang = ({ controller }: RunningLab) => controller.signal('SIGSTOP');
const fallSilent = ({ controller }: RunningLab) => controller.order('silent');
const kill = ({ controller }: RunningLab) => controller.signal('SIGKILL');

// The default of the lab control is 400 ms.
motionTest({ row: 3, fault: 'a controller hangs, or answers no more' }, [
  at(20, 'SIGSTOP', hang),
  at(50, 'SIGSTOP', hang),
  at(400, 'SIGSTOP', hang),
  at(50, 'no answers', fallSilent),
  at(400, 'no answers', fallSilent),
]);

/** The first command of a reply is over when the stop begins, the last one is not. */
motionTest({ row: 3, fault: 'a controller hangs whose replies take a while' }, [
  at(400, 'kinds 20 ms apart, 2.7 m/s', hang, {
    vehicles: withDrive(
      allKinds.filter(({ drive }) => String(drive.kinds).length > 1),
      { apart: 20, v: 2.7 },
    ),
    fastestMps: 2.7,
  }),
]);

motionTest({ row: 3, fault: 'kill -9 of a controller' }, [
  at(20, 'default', kill),
  at(50, 'default', kill),
  at(400, 'default', kill),
  at(50, '--miss-limit=1', kill, {
    flags: ['--period-ms=50', '--miss-limit=1'],
    detectionS: detectionS(50, 1),
  }),
  at(400, '--vehicle-timeout-ms=0', kill, {
    flags: ['--period-ms=400', '--vehicle-timeout-ms=0'],
    detectionS: detectionS(400, 3, 0),
  }),
]);

motionTest(
  { row: 4, fault: 'clean exit of a controller' },
  // It is seen at once, whatever the limit of misses.
  [20, 50, 400].map((periodMs) =>
    at(periodMs, 'default', ({ controller }) => controller.order('leave'), { detectionS: 0.1 }),
  ),
);
