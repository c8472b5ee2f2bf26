export { RosNamedTransport } from './ros-named-transport.js';
export { participantData } from './user-data.js';
export type { TopicNames } from './ros-names.js';
