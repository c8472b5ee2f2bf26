import { whyNoRos2 } from '../../tools/ros2-workspace.mjs';

/** Before the tests with a real ROS 2: says once why all of them are skipped, where they are. */
export default function sayWhySkipped(): void {
  const reason = whyNoRos2();
  if (reason !== undefined) console.log(`ros2: skipped, since ${reason}`);
}
