export * from './face/index.js';
export { guarded } from './guarded.js';
export { loadRclnodejs } from './load-rclnodejs.js';
export type { Rclnodejs } from './rclnodejs-api.js';
export type { RosNodeHandle } from './ros-endpoint.js';
export { IdentifiedRosSide } from './identified-side.js';
export { rosDomainConfig, whyNotIdentified } from './ros-network.js';
export { RosParticipant } from './ros-participant.js';
