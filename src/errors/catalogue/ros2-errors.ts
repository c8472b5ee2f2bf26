import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of ROS 2. */
export const ros2Errors = {
  HLC_ROS_UNAVAILABLE: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `ROS 2 cannot be used (${d.cause}); source a ROS 2 that is Jazzy or newer, run "npm run setup" in that shell and start again, or use --lab-side=ros2 or --controller-side=ros2 instead of rclnodejs, which need no ROS 2 installation.`,
  ),
  HLC_ROS_MESSAGES: entry<{ type: string; package: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The ROS 2 type ${d.type} cannot be found (${d.cause}); install the package ${d.package} (hlc_middleware_msgs is built with colcon), source it and start again.`,
  ),
  HLC_ROS_NODE: entry<{ name: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The ROS 2 node "${d.name}" cannot be made (${d.cause}); check the ROS arguments and the domain id.`,
  ),
  HLC_ROS_CLOCK_TAKEN: entry<{ node: string }>(
    ExitCode.usage,
    (d) =>
      `The node ${d.node} publishes /clock, and simulated time can have one source only; end that node, or let the lab say the time with --time-source=lab.`,
  ),
  HLC_ROS_CLOCK_LEFT: entry<{ node: string }>(
    ExitCode.failure,
    (d) =>
      `Node ${d.node} publishes /clock, so this middleware does not. Make sure that ${d.node} publishes the time of the lab, or end it and restart the middleware.`,
  ),
  HLC_ROS_IDENTITY: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The controllers in ROS 2 cannot be distinguished (${d.cause}), so that a controller that is gone, or a second one with the same id, would not be noticed; use a ROS 2 on DDS without security, or accept that with --ros-identity=none.`,
  ),
  HLC_ROS_UNREACHED: entry<{ node: string; topic: string }>(
    ExitCode.failure,
    (d) =>
      `The node ${d.node} publishes "${d.topic}", but this middleware discovers no DDS writer of it and does not receive its messages; let both use the same network settings, or start again with --ros-identity=none, with which a second controller with the same id is not detected.`,
  ),
  HLC_ROS_REQUEST: entry<{ cause: string }>(
    ExitCode.failure,
    (d) => `The request is refused: ${d.cause}.`,
  ),
  HLC_ROS_SIM_TIME: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `The parameter use_sim_time is true, but periods in real time follow the clock of this machine; add --simulated-time, or leave use_sim_time out.`,
  ),
  HLC_ROS_NODE_TWICE: entry<{ node: string; participant?: string }>(
    ExitCode.failure,
    (d) =>
      `${d.participant === undefined ? 'Another program' : `The participant ${d.participant}`} has a node "${d.node}", too, and their log and topics cannot be distinguished; give each middleware a --node-id of its own.`,
  ),
} as const;
