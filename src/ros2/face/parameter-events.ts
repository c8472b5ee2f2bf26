import { CdrWriter } from '../../messages/index.js';
import { parameterTypes, type Parameters, type ParameterChange } from './parameters.js';
import { writeTime } from './ros-time.js';
import type { RosTopics } from './topics.js';

/**
 * The topic `/parameter_events`: publishes every parameter that is set.
 * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
 */
export function announceParameterEvents(topics: RosTopics, parameters: Parameters): void {
  const publish = topics.announce('rcl_interfaces/msg/ParameterEvent', '/parameter_events');
  parameters.onChanged((change) => publish(encodeEvent(topics.nowNs(), topics.nodeName, change)));
}

/** `rcl_interfaces/msg/ParameterEvent` with one changed parameter, serialized. */
function encodeEvent(stampNs: bigint, nodeName: string, change: ParameterChange): Buffer {
  const writer = new CdrWriter().begin();
  writeTime(writer, stampNs);
  writer.string(nodeName, 'node');
  writer.sequenceLength([], 'new_parameters');
  writer.sequenceLength([change], 'changed_parameters');
  writer.string(change.name, 'changed_parameters.name');
  writeValue(writer, change);
  writer.sequenceLength([], 'deleted_parameters');
  return Buffer.from(writer.finish());
}

/** `rcl_interfaces/msg/ParameterValue`: the field of its type, and all others empty. */
function writeValue(writer: CdrWriter, { type, value }: ParameterChange): void {
  const list = Array.isArray(value) ? (value as readonly (bigint | string)[]) : [];
  const integers = type === 'integerArray' ? list : [];
  const texts = type === 'stringArray' ? list : [];
  writer.uint8(parameterTypes[type].id, 'type');
  writer.boolean(type === 'bool' && value === true, 'bool_value');
  writer.int64(type === 'integer' ? (value as bigint) : 0n, 'integer_value');
  writer.float64(type === 'double' ? (value as number) : 0, 'double_value');
  writer.string(type === 'string' ? (value as string) : '', 'string_value');
  writer.sequenceLength([], 'byte_array_value');
  writer.sequenceLength([], 'bool_array_value');
  writer.sequenceLength(integers, 'integer_array_value');
  for (const integer of integers) writer.int64(integer as bigint, 'integer_array_value');
  writer.sequenceLength([], 'double_array_value');
  writer.sequenceLength(texts, 'string_array_value');
  for (const text of texts) writer.string(text as string, 'string_array_value');
}
