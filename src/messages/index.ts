export { topicsBySide } from './sides.js';
export { CdrError, type Codec } from './codec.js';
export * from './generated/index.js';
export type { RosType } from './ros-type.js';
export { topics, type Topic } from './topics.js';
