export { DdsContext, type Clocks, type DdsContextOptions } from './context.js';
export type { DomainNetwork } from './domain-config.js';
export type { DdsReader, DdsWriter } from './endpoints.js';
export { firstCardAddress, interfaceWith, isLoopback } from './network-interfaces.js';
export type {
  EmergencySample,
  EmergencyStop,
  HangGuardOptions,
  HangStop,
  StampPatch,
  Stall,
} from './emergency-stop.js';
export { exitNow, type ClockState } from './native.js';
export type { Pacer, Tick, StatusBeacon } from './pacer.js';
export type { SentSlot, TimedPlan, TimedSlot, TimedWriter } from './timed-writer.js';
export type { DdsParticipant } from './participant.js';
export {
  domainsInUse,
  type DomainInUse,
  discoveryPort,
  maxParticipantIndex,
} from './rtps-ports.js';
export { parsePeers, type DiscoveryPeer } from './peers.js';
export { projectFolder } from './project-folder.js';
export { lockFiles } from './lock-files.js';
export { shareCores } from './share-cores.js';
export type { RampTimes, StopRamp, StopRamps } from './stop-ramps.js';
export { openServiceManager, type ServiceManager, type Watchdog } from './watchdog.js';
