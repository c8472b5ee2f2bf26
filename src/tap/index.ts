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
  encodeMembers,
  type EffectRecord,
  type EventRecord,
  FrameReader,
  type FrameRecord,
  frameTypes,
  FrameWriter,
  headerBytes,
  mostBodyBytes,
  type PlainRecord,
  priorityOffset,
  sampleTopics,
  type SampleTopic,
  type TapSample,
  typeOffset,
} from './frames.js';
export {
  type ObservedEffect,
  type ObservedEvent,
  type Performed,
  vehicleObservationEvent,
  vehicleStateEvent,
} from './observed.js';
export { keptPriority, type Priority } from './priorities.js';
export {
  openSession,
  plainSettings,
  type PlainSettings,
  type RealSession,
  type SampleSession,
  type SessionSettings,
  settingsOf,
} from './session-settings.js';
export { FrameSplitter } from './frame-splitter.js';
export { RecordReader, type TapRecord } from './record-reader.js';
export { tapPathOf } from './tap-path.js';
