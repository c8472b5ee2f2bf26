import { expect, it } from 'vitest';
import { topics } from '../../../../src/messages/index.js';
import { BothNamesTransport } from '../../../../src/ros2/on-dds/both-names-transport.js';
import { wireTopicName } from '../../../../src/ros2/ros-names.js';

const naming = {
  node: { name: 'middleware', namespace: '/' },
  topicRemaps: [],
  writtenVehicles: 1,
  nowNs: () => 0n,
  onError: () => undefined,
  announced: false,
};
const { name } = topics.systemTrigger;

/** A participant with one endpoint of ROS 2. */
function participant(guidPrefix: string, topic: string) {
  return { guidPrefix, endpoints: [{ topic: wireTopicName(topic, naming), typeName: '' }] };
}

it('names the endpoints of one look at the domain: participants come and go between two', () => {
  const all = [participant('a', name), participant('b', topics.readyStatus.name)];
  const looks = [all, all.toReversed()];
  const dds = { discovered: () => ({ participants: looks.shift() }) };
  const transport = new BothNamesTransport(dds as never, naming);
  const found = transport.discovered().participants;
  expect(found.map(({ guidPrefix, endpoints }) => [guidPrefix, endpoints[0]?.topic])).toEqual([
    ['a', name],
    ['b', topics.readyStatus.name],
  ]);
});
