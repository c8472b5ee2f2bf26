export { TapFormatError } from './byte-reader.js';
export { effectFields } from './effect-fields.js';
export { eventFields } from './event-fields.js';
export {
  checkContent,
  type ContentRecord,
  tapFormat,
  type TapDropped,
  type TapHello,
  type TapLog,
  type TapSession,
  type TapSummary,
  tapVersion,
} from './contents.js';
export {
  describeFrame,
  type FrameType,
  frameTypes,
  headerBytes,
  mostBodyBytes,
  needsAll,
  priorityOffset,
  sampleTopics,
  type SampleTopic,
  typeOffset,
} from './frame-layout.js';
export { encodeMembers, FrameWriter } from './frame-writer.js';
export {
  type ObservedEffect,
  type ObservedEvent,
  type Performed,
  vehicleObservationEvent,
  vehicleStateEvent,
} from './observed.js';
export { logText } from './log-text.js';
export { keptPriority, type Priority } from './priorities.js';
export { channelTopic, type SampleChannel, sampleChannels } from './sample-channels.js';
export {
  openSession,
  plainSettings,
  type PlainSettings,
  type RealSession,
  type SampleSession,
  type SessionSettings,
  settingsOf,
} from './session-settings.js';
export { FrameCursor } from './frame-cursor.js';
export { FrameSplitter, splitFrames } from './frame-splitter.js';
export {
  EffectRecord,
  EventRecord,
  readPlain,
  RecordReader,
  type TapRecord,
  type TapSample,
} from './record-reader.js';
export { isWaitingReader, tapPathOf, waitingReaderPath } from './tap-path.js';
