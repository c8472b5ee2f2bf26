import type { HeardDomain, HeardEndpoint } from '../../ports/index.js';
import { rosTypes, topics } from '../../messages/index.js';
import { wireTopicName, type TopicNames } from '../ros-names.js';

const typeNames = new Map(
  Object.entries(rosTypes).map(([typeName, type]) => [type?.wireName, typeName]),
);

/**
 * Who is on a domain, with topics and types named as in `idl/`. Topics of plain DDS are left out: who
 * has those does not meet a side in ROS 2, though the names be the same.
 */
export function heardInIdl(heard: HeardDomain, names: TopicNames): HeardDomain {
  const topicNames = new Map(Object.keys(topics).map((name) => [wireTopicName(name, names), name]));
  const inIdl = (endpoint: HeardEndpoint): HeardEndpoint[] => {
    const topic = topicNames.get(endpoint.topic);
    if (topic === undefined) return [];
    return [
      { ...endpoint, topic, typeName: typeNames.get(endpoint.typeName) ?? endpoint.typeName },
    ];
  };
  const participants = heard.participants.map((participant) => ({
    ...participant,
    endpoints: participant.endpoints.flatMap(inIdl),
  }));
  return { ...heard, participants };
}
