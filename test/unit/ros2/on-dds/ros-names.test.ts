import { describe, expect, it } from 'vitest';
import { topics } from '../../../../src/messages/index.js';
import {
  rosNodeName,
  rosTopicName,
  rosTypeOf,
  wireTopicName,
} from '../../../../src/ros2/on-dds/ros-names.js';
import { rosTopicName as topicNameInMessageFiles } from '../../../../tools/codegen/ros-names.mjs';

describe('the names of ROS 2', () => {
  it('of topics are words in lower case, in the namespace of the node', () => {
    expect(rosTopicName('vehicleStateList', '/')).toBe('/vehicle_state_list');
    expect(rosTopicName('hlcCommunication', '/lab/one')).toBe('/lab/one/hlc_communication');
    expect(wireTopicName('/lab/round_trip_time')).toBe('rt/lab/round_trip_time');
  });

  it.each(Object.values(topics))('of $name are legal, and those of the message files', (topic) => {
    const name = rosTopicName(topic.name, '/');
    expect(name).toBe(`/${topicNameInMessageFiles(topic.name)}`);
    expect(rosTypeOf(topic).wireName).toBe(`hlc_middleware_msgs::msg::dds_::${topic.typeName}_`);
    expect(rosTypeOf(topic).keyedInIdl).toBe(topic.codec.keyed);
  });

  it.each([
    ['middleware', 'middleware'],
    ['lab 2/middleware', 'lab_2_middleware'],
    ['2nd', '_2nd'],
    ['ä', '_'],
  ])('of a node for the node id "%s" is "%s"', (nodeId, name) => {
    expect(rosNodeName(nodeId)).toBe(name);
  });
});
