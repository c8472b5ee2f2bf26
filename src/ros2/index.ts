export { loadRclnodejs } from './load-rclnodejs.js';
export type { Rclnodejs } from './rclnodejs-api.js';
export { RosParticipant } from './ros-participant.js';
