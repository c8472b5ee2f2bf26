export type { HistoryQos, QosPolicies, ResourceLimitsQos } from './qos.js';
export type * from './transport.js';
