import { isolatedCycloneUri } from '../isolation.js';
import { loopbackUri } from '../loopback-uri.js';

/** Value of `CYCLONEDDS_URI` for programs with ROS 2 that discover only those with the same one. */
export function isolatedRosUri(): string {
  return loopbackUri(isolatedCycloneUri());
}

/** What else stands in the environment of these programs. */
export const rosVariables = {
  RMW_IMPLEMENTATION: 'rmw_cyclonedds_cpp',
  ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
  // What a program in Python prints is seen at once.
  PYTHONUNBUFFERED: '1',
} as const;
