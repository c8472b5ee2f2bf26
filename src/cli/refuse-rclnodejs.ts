import type { SideSettings } from '../config/index.js';
import { HlcError } from '../errors/index.js';

/**
 * Refuses the side kind rclnodejs of a command whose program is a participant of plain DDS.
 * @throws HlcError `HLC_CONFIG_NOT_SERVED`.
 */
export function refuseRclnodejs({ kind }: SideSettings, flag: string, command: string): void {
  if (kind !== 'rclnodejs') return;
  throw new HlcError('HLC_CONFIG_NOT_SERVED', {
    what: `The flag ${flag}=rclnodejs of "${command}"`,
    reason: `its programs need no ROS 2; ${flag}=ros2 gives them its names`,
    servedValues: ['dds', 'ros2'],
  });
}
