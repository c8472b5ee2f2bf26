import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { withIdlNames } from '../../../src/ros2/on-dds/idl-topic-names.js';
import { rosTopicName, rosTypeOf, wireTopicName } from '../../../src/ros2/ros-names.js';
import { rosTopicName as topicNameInMessageFiles } from '../../../tools/codegen/ros-names.mjs';

describe('the names of ROS 2', () => {
  it('of topics are words in lower case, in the namespace of the node', () => {
    expect(rosTopicName('vehicleStateList', '/')).toBe('/vehicle_state_list');
    expect(rosTopicName('hlcCommunication', '/lab/one')).toBe('/lab/one/hlc_communication');
  });

  it('of topics follow the first remap on the wire', () => {
    const node = { namespace: '/lab', name: 'mw' };
    const topicRemaps = [
      { from: '/round_trip_time', to: '/not/in/this/namespace' },
      { from: '/lab/ready_status', to: '/first' },
      { from: '/lab/ready_status', to: '/second' },
      { from: '/first', to: '/remapped_once_only' },
    ];
    const names = { node, topicRemaps };
    expect(wireTopicName('round_trip_time', names)).toBe('rt/lab/round_trip_time');
    expect(wireTopicName('readyStatus', names)).toBe('rt/first');
  });

  it('are translated back to those of idl/ in a discovered domain', () => {
    const node = { namespace: '/lab', name: 'mw' };
    const names = { node, topicRemaps: [{ from: '/lab/ready_status', to: '/ready' }] };
    const endpoint = {
      kind: 'writer',
      guid: '',
      typeName: 'hlc_middleware_msgs::msg::dds_::ReadyStatus_',
      qos: {},
    } as const;
    const topicsOnWire = ['rt/ready', 'rt/lab/ready_status', 'rt/ready_status', 'readyStatus'];
    const endpoints = topicsOnWire.map((topic) => ({ ...endpoint, topic }));
    const participants = [{ guidPrefix: '', vendor: '', endpoints }];
    const domain = withIdlNames({ domainId: 0, participants }, names);
    expect(domain.participants[0]?.endpoints).toEqual([
      { ...endpoint, topic: 'readyStatus', typeName: 'ReadyStatus' },
    ]);
  });

  it.each(Object.values(topics))('of $name are legal, and those of the message files', (topic) => {
    const name = rosTopicName(topic.name, '/');
    expect(name).toBe(`/${topicNameInMessageFiles(topic.name)}`);
    expect(rosTypeOf(topic).wireName).toBe(`hlc_middleware_msgs::msg::dds_::${topic.typeName}_`);
    expect(rosTypeOf(topic).keyedInIdl).toBe(topic.codec.keyed);
  });
});
