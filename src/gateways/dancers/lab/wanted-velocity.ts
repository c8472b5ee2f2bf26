import type { Command } from '../../../core/index.js';
import { modelCar, stepBicycle, trackCommand } from '../../../lab/index.js';
import type { AgentPose, AgentVelocity } from '../protocol/payloads.js';

/** The vehicles of the lab decide this often, s. */
const longestStepS = 0.02;

/** Where a vehicle is, and the angle of its front wheels, which no message of DANCERS has. */
export interface DrivenAgent {
  readonly pose: AgentPose;
  /** Radians. */
  readonly steeringAngle: number;
}

/**
 * The velocity that the model car of the lab would have at the end of a window in which it obeys a
 * command of any kind. Without a command it brakes.
 * @param endNs End of the window, ns of the simulated clock.
 * @param windowS Length of the window, s.
 * @returns the velocity, and the angle of the front wheels then, radians.
 */
export function wantedVelocity(
  command: Command | null,
  { pose, steeringAngle }: DrivenAgent,
  endNs: bigint,
  windowS: number,
): { readonly velocity: AgentVelocity; readonly steeringAngle: number } {
  const steps = Math.ceil(windowS / longestStepS);
  const dt = windowS / steps;
  let motion = { ...pose, steeringAngle };
  for (let step = 0; step < steps; step++) {
    const nowNs = endNs - BigInt(Math.round((windowS - step * dt) * 1e9));
    const input = trackCommand(command, motion, nowNs, dt, modelCar);
    motion = { agentId: pose.agentId, ...stepBicycle(motion, input, dt, modelCar) };
  }
  const { yaw, speed } = motion;
  return {
    velocity: {
      agentId: pose.agentId,
      vx: speed * Math.cos(yaw),
      vy: speed * Math.sin(yaw),
      heading: yaw,
    },
    steeringAngle: motion.steeringAngle,
  };
}
