import { lockstepRate } from './lockstep-rate.mjs';
import {
  fleetCpu,
  forwardingDelay,
  residentMemory,
  startSignalLateness,
  startupTime,
} from './real-time.mjs';

/** All rows, in the order of the table. */
export const rows = [
  lockstepRate,
  startSignalLateness,
  forwardingDelay,
  fleetCpu,
  startupTime,
  residentMemory,
];
