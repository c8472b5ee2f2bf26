import type { SideKind, SideSettings } from '../config/index.js';
import { HlcError } from '../errors/index.js';

/**
 * Refuses a kind of side that a command does not serve: its program is a participant of plain DDS, or
 * one controller with one kind of names.
 * @throws HlcError `HLC_CONFIG_NOT_SERVED`.
 */
export function refuseSideKind(
  { kind }: SideSettings,
  flag: string,
  command: string,
  servedValues: readonly SideKind[] = ['dds', 'ros2'],
): void {
  if (servedValues.includes(kind)) return;
  throw new HlcError('HLC_CONFIG_NOT_SERVED', {
    what: `The flag ${flag}=${kind} of "${command}"`,
    reason: reasonOf(kind, flag, servedValues),
    servedValues: [...servedValues],
  });
}

function reasonOf(kind: SideKind, flag: string, servedValues: readonly SideKind[]): string {
  if (!servedValues.includes('ros2')) return 'its topics have the names of the CPM Lab there';
  if (kind !== 'rclnodejs') return 'a controller has the names of dds or those of ros2';
  return `its programs need no ROS 2; ${flag}=ros2 gives them its names`;
}
