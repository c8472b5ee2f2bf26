import { all, atLeast, atLeastTimesReference, noTarget } from '../target.mjs';
import { stepRate } from './measures.mjs';
import { simulated } from './row.mjs';

/** @import { Row } from './row.mjs' */

const oneController = { controllers: 1, processes: 1, skip: 2000 };

/**
 * Steps per second in simulated time: start signal, the answers of all controllers, each of them
 * forwarded to the vehicles, next step. Measured by a controller, from the first counted start
 * signal to the last.
 * @type {Row}
 */
export const lockstepRate = {
  name: 'lockstep_rate',
  alias: 'lockstep',
  ...stepRate,
  loads: [
    {
      name: '1 controller, 1 vehicle',
      load: simulated({ ...oneController, vehicles: 1, periods: 22_000 }),
      target: all(atLeast(5000), atLeastTimesReference(0.7)),
      quick: true,
    },
    {
      name: '1 controller, 20 vehicles',
      load: simulated({ ...oneController, vehicles: 20, periods: 22_000 }),
      target: atLeastTimesReference(0.7),
      quick: true,
    },
    {
      name: '1 controller, 20 vehicles, cores busy',
      load: simulated({ ...oneController, vehicles: 20, periods: 12_000, busy: true }),
      target: noTarget,
    },
    {
      name: '1 controller, 100 vehicles',
      load: simulated({ ...oneController, vehicles: 100, periods: 9000 }),
      target: noTarget,
    },
    {
      name: '1 controller, 255 vehicles',
      load: simulated({ ...oneController, vehicles: 255, periods: 6000 }),
      target: noTarget,
    },
    {
      name: '4 controllers, 20 vehicles',
      load: simulated({ controllers: 4, processes: 4, vehicles: 20, periods: 9000, skip: 1000 }),
      target: atLeastTimesReference(0.8),
    },
    {
      name: '16 controllers, 20 vehicles',
      load: simulated({ controllers: 16, processes: 16, vehicles: 20, periods: 3000, skip: 500 }),
      target: atLeastTimesReference(0.8),
      quick: true,
    },
    {
      name: '16 controllers in one process, 20 vehicles',
      load: simulated({ controllers: 16, processes: 1, vehicles: 20, periods: 4500, skip: 500 }),
      target: atLeast(2000),
    },
    {
      name: '64 controllers, 64 vehicles',
      load: simulated({ controllers: 64, processes: 64, vehicles: 64, periods: 600, skip: 200 }),
      target: noTarget,
    },
  ],
};
