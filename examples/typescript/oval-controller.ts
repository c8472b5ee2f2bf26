// A controller for one vehicle: follows the oval at a distance from the vehicle in front.
import { parseArgs } from 'node:util';
import {
  createController,
  HlcError,
  type Command,
  type PathTrackingCommand,
  type Step,
  type TrajectoryCommand,
  type VehicleState,
} from 'hlc-middleware/controller';
import { gapTo, placeOf, poseAt, round } from './oval.js';

const cruiseSpeed = 0.8; // m/s
const restGap = 0.3; // between the middles of two vehicles that stand, m
const headway = 0.6; // to the vehicle in front, beyond the rest gap, s
const ms = 1_000_000n; // ns

function plan(step: Step, vehicleId: number, kind: string): Command {
  const own = step.vehicles.get(vehicleId);
  if (own === undefined) return followPath(vehicleId, 0); // no state yet: stand still
  const place = placeNow(own, step);
  const gaps = [...step.vehicles.values()]
    .filter((other) => other !== own)
    .map((other) => gapTo(placeNow(other, step), place));
  const gap = Math.min(round, ...gaps);
  const speed = Math.max(0, Math.min(cruiseSpeed, (gap - restGap) / headway));
  return kind === 'path' ? followPath(vehicleId, speed) : drive(vehicleId, place, speed, step);
}

// A state is some time old: the vehicle went on since.
function placeNow(state: VehicleState, step: Step): number {
  const ageS = Number(step.tNowNs - state.header.create_stamp.nanoseconds) / 1e9;
  return placeOf(state.pose) + ageS * state.speed;
}

// One point in the past and one second of the future, every 100 ms.
function drive(vehicle_id: number, place: number, speed: number, step: Step): TrajectoryCommand {
  const trajectory_points = Array.from({ length: 12 }, (_, index) => {
    const aheadMs = (index - 1) * 100;
    const { x, y, yaw } = poseAt(place + (aheadMs / 1000) * speed);
    return {
      t: { nanoseconds: step.tNowNs + BigInt(aheadMs) * ms },
      px: x,
      py: y,
      vx: speed * Math.cos(yaw),
      vy: speed * Math.sin(yaw),
    };
  });
  return { kind: 'trajectory', vehicle_id, trajectory_points };
}

// The whole oval as a closed path.
function followPath(vehicle_id: number, speed: number): PathTrackingCommand {
  const segments = 40;
  const path = Array.from({ length: segments + 1 }, (_, index) => ({
    pose: poseAt(((index % segments) * round) / segments),
    s: (index * round) / segments,
  }));
  return { kind: 'pathTracking', vehicle_id, path, speed };
}

function main(): void {
  const { values } = parseArgs({
    options: {
      'vehicle-id': { type: 'string', default: '1' },
      domain: { type: 'string', default: '1' },
      command: { type: 'string', default: 'trajectory' },
    },
  });
  if (!['trajectory', 'path'].includes(values.command)) {
    throw new Error(`--command takes trajectory or path, not "${values.command}"`);
  }
  const vehicleId = Number(values['vehicle-id']);
  const controller = createController({
    vehicleIds: [vehicleId],
    network: { domainId: Number(values.domain) },
    onStep: (step) => plan(step, vehicleId, values.command),
    onError: (error) => console.error('oval-controller:', error),
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.close());
}

try {
  main();
} catch (error) {
  console.error('oval-controller:', error instanceof Error ? error.message : error);
  process.exitCode = error instanceof HlcError ? error.exitCode : 2;
}
