export { readFinding, writeFinding } from './finding-file.js';
export { FoxgloveServer } from './foxglove/foxglove-server.js';
export { LiveView } from './live/live-view.js';
export type { PlaybackView } from './live/page-protocol.js';
export { metricsText } from './metrics/metrics-text.js';
export { type ControlAnswer, PageServer } from './server/page-server.js';
export { runObserver, type ObserverOptions } from './run-observer.js';
export { awaitTap } from './tap/await-tap.js';
export { connectTap, type TapConnection } from './tap/connect-tap.js';
export {
  encodeMembers,
  openSession,
  RecordReader,
  settingsOf,
  TapFormatError,
  tapPathOf,
  type TapDropped,
  type TapHello,
  type TapRecord,
  type TapSample,
  type TapSession,
  type TapSummary,
} from '../tap/index.js';
