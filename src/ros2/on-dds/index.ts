export { RosNamedTransport } from './ros-named-transport.js';
export { rosNodeName } from './ros-names.js';
export { participantData } from './user-data.js';
