import type { DiscoveredDomain, DiscoveredEndpoint } from '../../ports/index.js';
import { rosTypes, topics } from '../../messages/index.js';
import { wireTopicName, type TopicNames } from '../ros-names.js';

const typeNames = new Map(
  Object.entries(rosTypes).map(([typeName, type]) => [type?.wireName, typeName]),
);

/**
 * A domain with its topics and types named as in `idl/`. Topics of plain DDS are left out: their
 * endpoints do not match those of a side in ROS 2, even with equal names.
 */
export function withIdlNames(domain: DiscoveredDomain, names: TopicNames): DiscoveredDomain {
  const topicNames = new Map(Object.keys(topics).map((name) => [wireTopicName(name, names), name]));
  const inIdl = (endpoint: DiscoveredEndpoint): DiscoveredEndpoint[] => {
    const topic = topicNames.get(endpoint.topic);
    if (topic === undefined) return [];
    return [
      { ...endpoint, topic, typeName: typeNames.get(endpoint.typeName) ?? endpoint.typeName },
    ];
  };
  const participants = domain.participants.map((participant) => ({
    ...participant,
    endpoints: participant.endpoints.flatMap(inIdl),
  }));
  return { ...domain, participants };
}
