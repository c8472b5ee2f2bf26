export { runObserver, type ObserverOptions } from './run-observer.js';
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
