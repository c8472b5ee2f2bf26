import { CdrWriter } from '../../messages/index.js';
import { writeTime } from './ros-time.js';
import type { RosTopics } from './topics.js';

/** `level` of `diagnostic_msgs/msg/DiagnosticStatus`. */
export const DiagnosticLevel = { ok: 0, warn: 1, error: 2, stale: 3 } as const;
export type DiagnosticLevel = (typeof DiagnosticLevel)[keyof typeof DiagnosticLevel];

/** `diagnostic_msgs/msg/DiagnosticStatus`. */
export interface DiagnosticStatus {
  readonly level: DiagnosticLevel;
  /** Unique on the robot; before a colon the name of the node. */
  readonly name: string;
  /** One line for a person. */
  readonly message: string;
  readonly hardwareId: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The topic `/diagnostics`.
 * @returns publishes, with the time of the node's clock.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function announceDiagnostics(
  topics: RosTopics,
): (statuses: readonly DiagnosticStatus[]) => void {
  const publish = topics.announce('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics');
  return (statuses) => publish(encodeDiagnostics(topics.nowNs(), statuses));
}

/** `diagnostic_msgs/msg/DiagnosticArray`, serialized. */
export function encodeDiagnostics(stampNs: bigint, statuses: readonly DiagnosticStatus[]): Buffer {
  const writer = new CdrWriter().begin();
  writeTime(writer, stampNs);
  writer.string('', 'header.frame_id');
  writer.sequenceLength(statuses, 'status');
  for (const { level, name, message, hardwareId, values } of statuses) {
    writer.uint8(level, 'status.level');
    writer.string(name, 'status.name');
    writer.string(message, 'status.message');
    writer.string(hardwareId, 'status.hardware_id');
    const entries = Object.entries(values);
    writer.sequenceLength(entries, 'status.values');
    for (const [key, value] of entries) {
      writer.string(key, 'status.values.key');
      writer.string(value, 'status.values.value');
    }
  }
  return Buffer.from(writer.finish());
}
