export { remappedNodeName, rosNodeName, type NodeName } from './node-name.js';
export { readRosSource } from './ros-source.js';
export { splitArguments } from './split-arguments.js';
