import { all, atLeast, atLeastTimesReference } from '../reach.mjs';
import { simulated } from './row.mjs';

/** @import { Row } from './row.mjs' */

/**
 * Steps per second in simulated time: start signal, the answers of all controllers, each of them
 * forwarded to the vehicles, next step. Measured by a controller, from the first counted start
 * signal to the last.
 * @type {Row}
 */
export const lockstepRate = {
  name: 'lockstep_rate',
  alias: 'lockstep',
  unit: 'steps/s',
  figure: ({ startSignalsPerSecond }) => startSignalsPerSecond,
  loads: [
    {
      name: '1 controller, 1 vehicle',
      load: simulated({ controllers: 1, processes: 1, vehicles: 1, periods: 22_000, skip: 2000 }),
      reach: all(atLeast(5000), atLeastTimesReference(0.7)),
      quick: true,
    },
    {
      name: '1 controller, 20 vehicles',
      load: simulated({ controllers: 1, processes: 1, vehicles: 20, periods: 22_000, skip: 2000 }),
      reach: atLeastTimesReference(0.7),
      quick: true,
    },
    {
      name: '4 controllers, 20 vehicles',
      load: simulated({ controllers: 4, processes: 4, vehicles: 20, periods: 9000, skip: 1000 }),
      reach: atLeastTimesReference(0.8),
      quick: true,
    },
    {
      name: '16 controllers, 20 vehicles',
      load: simulated({ controllers: 16, processes: 16, vehicles: 20, periods: 3000, skip: 500 }),
      reach: atLeastTimesReference(0.8),
      quick: true,
    },
    {
      name: '16 controllers in one process, 20 vehicles',
      load: simulated({ controllers: 16, processes: 1, vehicles: 20, periods: 4500, skip: 500 }),
      reach: atLeast(2000),
    },
  ],
};
