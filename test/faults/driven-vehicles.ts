import type { VehicleState, VehicleStateList } from '../../src/messages/index.js';
import type { AnyCommand } from '../support/commands.js';

const speed = 0.8; // m/s
const radius = 1; // m
const ms = 1_000_000n; // ns

type Circle = readonly { readonly pose: VehicleState['pose']; readonly s: number }[];

/**
 * Drives the vehicles 1 to 4, each with another kind of command: direct, speed and curvature,
 * trajectory straight on, and path on a circle to the left.
 */
export class FourDrivers {
  #circle: Circle | undefined;

  /** The commands that answer a start signal; a vehicle that was not heard of gets none. */
  commands(list: VehicleStateList): AnyCommand[] {
    return list.state_list.flatMap((state) => this.#command(state, list.t_now) ?? []);
  }

  #command(state: VehicleState, tNowNs: bigint): AnyCommand | undefined {
    const stamp = { nanoseconds: tNowNs };
    const header = { create_stamp: stamp, valid_after_stamp: stamp };
    const { vehicle_id } = state;
    const base = { vehicle_id, header };
    switch (vehicle_id) {
      case 1:
        return { kind: 'direct', message: { ...base, motor_throttle: 0.25, steering_servo: 0.3 } };
      case 2:
        return { kind: 'speedCurvature', message: { ...base, speed, curvature: 0.7 } };
      case 3:
        return {
          kind: 'trajectory',
          message: { ...base, trajectory_points: straightOn(state, tNowNs) },
        };
      case 4:
        this.#circle ??= circleFrom(state.pose);
        return { kind: 'pathTracking', message: { ...base, path: [...this.#circle], speed } };
      default:
        return undefined;
    }
  }
}

/** From where the vehicle was, in its direction: 0.2 s of the past and 1.8 s of the future. */
function straightOn({ pose, header }: VehicleState, tNowNs: bigint) {
  const vx = speed * Math.cos(pose.yaw);
  const vy = speed * Math.sin(pose.yaw);
  return Array.from({ length: 21 }, (_, i) => {
    const t = tNowNs + BigInt(i - 2) * 100n * ms;
    const since = Number(t - header.create_stamp.nanoseconds) / 1e9;
    return { t: { nanoseconds: t }, px: pose.x + since * vx, py: pose.y + since * vy, vx, vy };
  });
}

/** A closed circle through a pose. */
function circleFrom({ x, y, yaw }: VehicleState['pose']): Circle {
  const segments = 36;
  return Array.from({ length: segments + 1 }, (_, i) => {
    const turned = ((i % segments) / segments) * 2 * Math.PI;
    const direction = yaw + turned;
    return {
      pose: {
        x: x + radius * (Math.sin(direction) - Math.sin(yaw)),
        y: y - radius * (Math.cos(direction) - Math.cos(yaw)),
        yaw: direction,
      },
      s: (i / segments) * 2 * Math.PI * radius,
    };
  });
}
