export { rosNodeName, type NodeName } from './node-name.js';
export { readRemapRules, remappedNode, topicRemaps, type TopicRemap } from './remap-rules.js';
export { rosParameterTable, type RosParameterEntry } from './parameter-table.js';
export { readRosSource } from './ros-source.js';
export { splitArguments, withoutParameters } from './split-arguments.js';
