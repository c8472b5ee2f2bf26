export type { DiscoveryHints } from './discovery-hints.js';
export { formatEffectiveQos, type EffectiveQos, type QosQuestion } from './format-effective-qos.js';
export { defaultQosFile, loadQosFile, loadShippedQos } from './load-qos-file.js';
export { parseQosFile } from './parse-qos-file.js';
export { chooseProfile, findProfile, type QosLibraries } from './qos-libraries.js';
export type { LookupKind, QosProfile, ReaderQos } from './qos-profile.js';
export type { QosWarning } from './rti-extensions.js';
