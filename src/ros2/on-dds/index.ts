export { RosNamedTransport } from './ros-named-transport.js';
export { participantData } from './user-data.js';
