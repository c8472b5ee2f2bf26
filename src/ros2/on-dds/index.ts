export { BothNamesTransport } from './both-names-transport.js';
export { RosNamedTransport } from './ros-named-transport.js';
export { participantData } from './node-announcement.js';
export type { TopicNames } from '../ros-names.js';
