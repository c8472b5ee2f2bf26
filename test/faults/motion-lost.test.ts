import { allKinds } from './driven-kinds.js';
import { detectionS, motionTest } from './motion-row.js';

motionTest(
  { row: 31, fault: 'a controller hangs (SIGSTOP)' },
  [20, 50, 400].map((periodMs) => ({
    name: `T ${periodMs} ms`,
    vehicles: allKinds,
    flags: [`--period-ms=${periodMs}`],
    detectionS: detectionS(periodMs),
    fault: ({ controller }) => controller.signal('SIGSTOP'),
  })),
);
