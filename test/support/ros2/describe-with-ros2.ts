import { describe } from 'vitest';
import { whyNoRos2 } from '../../../tools/ros2-workspace.mjs';

/** True where a ROS 2 and the packages of this project are sourced. */
export const hasRos2 = whyNoRos2() === undefined;

/** As `describe`; skipped where there is no ROS 2. */
export const describeWithRos2 = describe.skipIf(!hasRos2);
