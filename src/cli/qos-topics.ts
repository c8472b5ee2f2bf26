import type { QosQuestion } from '../dds/qos/index.js';
import { topics, topicsBySide } from '../messages/index.js';

/** One of the two sides of the middleware, as the flag names it. */
export type SideName = keyof typeof topicsBySide;

/** The DDS entities that a middleware has on one side. */
export const entitiesOf = (side: SideName): QosQuestion[] => {
  const { writers, readers } = topicsBySide[side];
  return [
    { kind: 'participant', topic: '' },
    ...writers.map((name) => ({ kind: 'writer', topic: topics[name].name }) as const),
    ...readers.map((name) => ({ kind: 'reader', topic: topics[name].name }) as const),
  ];
};
