export type * from './discovery.js';
export { participantOf } from './discovery.js';
export type { HistoryQos, QosPolicies, ResourceLimitsQos } from './qos.js';
export type * from './transport.js';
export { unknownWriter } from './transport.js';
