import {
  besideForwarding,
  besideLateness,
  besideLockstepRate,
  carlaFrames,
  carlaStep,
  caveAnswer,
  caveCpu,
  dancersWindows,
  synchronoHeartbeat,
} from './gateways.mjs';
import { lockstepRate } from './lockstep-rate.mjs';
import {
  observedForwarding,
  observedLateness,
  observedLockstepRate,
  observedMemory,
  recorderCpu,
} from './observed.mjs';
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
  carlaFrames,
  carlaStep,
  caveAnswer,
  caveCpu,
  dancersWindows,
  synchronoHeartbeat,
  besideLockstepRate,
  besideLateness,
  besideForwarding,
  observedLockstepRate,
  observedLateness,
  observedForwarding,
  observedMemory,
  recorderCpu,
];
