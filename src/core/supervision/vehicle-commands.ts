import type { Command, TrajectoryPoint } from '../command.js';
import { brakingTrajectory } from './braking.js';

/** How far the braking of a vehicle is. */
export interface Braking {
  /** When it began, ns, on the clock of the stamps at that time. */
  readonly fromNs: bigint;
  /** How long it has lasted, ns, 0 or more, on a clock that nobody sets. */
  readonly lastedNs: bigint;
  /** Now, ns, on the clock of the stamps; a step of it moves the stamps and nothing else. */
  readonly nowNs: bigint;
  /** m/s², above 0. */
  readonly brakingMps2: number;
}

/**
 * The command that brings a vehicle to rest, of the type of its last command: throttle 0 with the
 * steering kept, speed 0 with the curvature kept, or a braking profile on the planned path. Send
 * it again and again with the time of now until the vehicle stands.
 */
export function stopCommand(last: Command, braking: Braking): Command {
  const { fromNs, lastedNs, nowNs, brakingMps2 } = braking;
  const stamped = restamped(last, nowNs);
  switch (stamped.kind) {
    case 'direct':
      return { kind: 'direct', message: { ...stamped.message, motor_throttle: 0 } };
    case 'speedCurvature':
      return { kind: 'speedCurvature', message: { ...stamped.message, speed: 0 } };
    case 'trajectory': {
      const plan = stamped.message.trajectory_points;
      // In the time of the plan, which is that of the clock when braking began.
      const profile = brakingTrajectory(plan, fromNs, fromNs + lastedNs, brakingMps2);
      const trajectory_points = moved(profile, nowNs - (fromNs + lastedNs));
      return { kind: 'trajectory', message: { ...stamped.message, trajectory_points } };
    }
    case 'pathTracking': {
      const speed = slowed(stamped.message.speed, brakingMps2 * (Number(lastedNs) / 1e9));
      return { kind: 'pathTracking', message: { ...stamped.message, speed } };
    }
  }
}

/** The last command once more, made now; null when its plan is over and says nothing about now. */
export function repeatedCommand(last: Command, nowNs: bigint): Command | null {
  if (last.kind === 'trajectory') {
    const end = last.message.trajectory_points.at(-1);
    if (end === undefined || end.t.nanoseconds <= nowNs) return null;
  }
  return restamped(last, nowNs);
}

function restamped(last: Command, nowNs: bigint): Command {
  const stamp = { nanoseconds: nowNs };
  const header = { create_stamp: stamp, valid_after_stamp: stamp };
  // Kind and message belong together; the compiler cannot see that through the union.
  return { kind: last.kind, message: { ...last.message, header } } as Command;
}

/** The points so much later, ns. */
function moved(points: readonly TrajectoryPoint[], byNs: bigint): TrajectoryPoint[] {
  return points.map((point) => ({ ...point, t: { nanoseconds: point.t.nanoseconds + byNs } }));
}

/** The speed, m/s, nearer to 0 by this much, 0 or more. */
function slowed(speed: number, byMps: number): number {
  return Math.sign(speed) * Math.max(0, Math.abs(speed) - byMps);
}
