import { nsPerMs } from '../core/index.js';
import type { DriveValues, FleetValues, LabControlValues, RunConfig } from '../config/index.js';
import { runDriver, runFleet, runLabControl } from '../lab/index.js';
import { sideNetwork } from '../sides/index.js';

function report(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The simulated vehicles of `hlc-middleware fleet`. @returns the exit code of the process. */
export async function runLabFleet(config: RunConfig, lab: FleetValues): Promise<number> {
  const { session, sides } = config;
  const { track, seed, loss, delayMs: delayNs, stateNoise, participants } = lab;
  return runFleet({
    vehicleIds: session.vehicleIds,
    network: await sideNetwork(sides.lab),
    ...(sides.lab.kind === 'ros2' ? { ros: sides.ros } : {}),
    track,
    disturbances: { seed, loss, delayNs, stateNoise },
    simulatedTime: session.time.mode === 'simulated',
    participants,
    interruptExitCode: config.interruptExitCode,
    report,
  });
}

/** The controller of `hlc-middleware drive`. @returns the exit code of the process. */
export async function runLabDriver(config: RunConfig, { track }: DriveValues): Promise<number> {
  const { controller, ros } = config.sides;
  return runDriver({
    vehicleIds: config.session.vehicleIds,
    network: await sideNetwork(controller),
    ...(controller.kind === 'ros2' ? { ros } : {}),
    track,
    report,
  });
}

/** The lab control of `hlc-middleware lab`. @returns the exit code of the process. */
export async function runLab(
  config: RunConfig,
  { participants }: LabControlValues,
): Promise<number> {
  const { vehicleIds, activeVehicleIds, periodNs, time } = config.session;
  return runLabControl({
    network: await sideNetwork(config.sides.lab),
    periodMs: (periodNs ?? 0n) / nsPerMs,
    activeVehicleIds: activeVehicleIds ?? vehicleIds,
    simulatedTime: time.mode === 'simulated',
    participants,
    input: process.stdin,
    report,
  });
}
