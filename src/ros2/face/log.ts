import { CdrWriter } from '../../messages/index.js';
import { writeTime } from './ros-time.js';
import type { RosTopics } from './topics.js';

/** `level` of `rcl_interfaces/msg/Log`. */
export type RosLogLevel = 10 | 20 | 30 | 40 | 50;

/** One entry of a log. */
export interface RosLogEntry {
  readonly level: RosLogLevel;
  readonly message: string;
}

/**
 * The topic `/rosout`.
 * @returns publishes an entry, with the time of the node's clock and the name of its logger.
 * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
 */
export function announceLog(topics: RosTopics): (entry: RosLogEntry) => void {
  const publish = topics.announce('rcl_interfaces/msg/Log', '/rosout', 'log');
  const logger = topics.nodeName.slice(1).replaceAll('/', '.');
  return (entry) => publish(encodeLog(topics.nowNs(), logger, entry));
}

/** `rcl_interfaces/msg/Log`, serialized; file, function and line are empty. */
function encodeLog(stampNs: bigint, logger: string, { level, message }: RosLogEntry): Buffer {
  const writer = new CdrWriter().begin();
  writeTime(writer, stampNs);
  writer.uint8(level, 'level');
  writer.string(logger, 'name');
  writer.string(message, 'msg');
  writer.string('', 'file');
  writer.string('', 'function');
  writer.uint32(0, 'line');
  return Buffer.from(writer.finish());
}
