export { DdsContext, type Clocks, type DdsContextOptions } from './context.js';
export { isLoopback, type DomainNetwork } from './domain-config.js';
export type { DdsReader, DdsWriter } from './endpoints.js';
export type { Pacer, PreparedStart, SentStart, Tick } from './pacer.js';
export type { DdsParticipant } from './participant.js';
export { domainsInUse, type DomainInUse } from './ports-in-use.js';
export type { ClockState } from './native.js';
export { discoveryPort, maxParticipantIndex } from './rtps-ports.js';
export { parsePeers, type DiscoveryPeer } from './peers.js';
