import { maxVehicleId } from '../../../core/index.js';
import type { Option } from '../option.js';
import { vehicleIdList } from '../id-types.js';
import { oneOf, wholeNumber } from '../value-types.js';

const notGiven = '-1: not given';

/** Options of `hlc-middleware run`: which controllers and vehicles it serves. */
export const controllersOptions = {
  vehicleIds: {
    group: 'Controllers',
    value: vehicleIdList(),
    default: '1',
    meaning: 'Vehicles whose controllers this middleware waits for and serves.',
  },
  vehicleId: {
    group: 'Controllers',
    value: wholeNumber(0, maxVehicleId, { placeholder: '<id>', note: notGiven }),
    unset: '-1',
    meaning: 'One vehicle id; short for --vehicle-ids=<id>.',
  },
  vehicleAmount: {
    group: 'Controllers',
    value: wholeNumber(1, maxVehicleId, { note: notGiven }),
    unset: '-1',
    meaning: 'Number n of vehicles; short for --vehicle-ids=1,2,…,n.',
  },
  activeVehicleIds: {
    group: 'Controllers',
    value: vehicleIdList(),
    otherwise: 'the vehicle ids with a period given, else asked from the lab',
    meaning: 'Vehicles whose states go into the start signal.',
  },
  absentVehicles: {
    group: 'Controllers',
    value: oneOf(['omit', 'default']),
    default: 'omit',
    meaning:
      'Active vehicle without any state: omit leaves it out of the start signal; the value named default lists it with zeros, as the CPM Lab middleware does.',
  },
} as const satisfies Record<string, Option<unknown>>;
