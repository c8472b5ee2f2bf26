export { topicsBySide } from './sides.js';
export { CdrReader } from './cdr-reader.js';
export { CdrWriter } from './cdr-writer.js';
export { CdrError, type Codec } from './codec.js';
export * from './generated/index.js';
export { nestedSamples, type NestedSample } from './nested-sample.js';
export type { RosType } from './ros-type.js';
export {
  commandStampOffsets,
  middlewareStatusStampOffset,
  pathSpeedOffset,
  startSignalTimeOffset,
  trajectoryTimeOffset,
} from './sample-offsets.js';
export { encodeStartSignal, type StartSignal } from './start-signal.js';
export { topics, type Topic, type TopicName } from './topics.js';
