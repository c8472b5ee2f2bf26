import type { DriveValues, FleetValues, LabControlValues, RunConfig } from '../config/index.js';
import { runDriver, runFleet, runLabControl } from '../lab/index.js';
import { labNetwork } from '../sides/index.js';

const nsPerMs = 1_000_000n;

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** The simulated vehicles of `hlc-middleware fleet`. @returns the exit code of the process. */
export async function runLabFleet(config: RunConfig, lab: FleetValues): Promise<number> {
  const { vehicleIds, ddsDomain: domainId, networkInterface, initialPeers } = config;
  const { track, seed, loss, delayMs: delayNs, stateNoise } = lab;
  return runFleet({
    vehicleIds,
    network: await labNetwork({ domainId, networkInterface, initialPeers }),
    ...(config.labNaming === 'ros2' ? { ros: config.ros } : {}),
    track,
    disturbances: { seed, loss, delayNs, stateNoise },
    simulatedTime: config.simulatedTime,
    interruptExitCode: config.interruptExitCode,
    tell,
  });
}

/** The controller of `hlc-middleware drive`. @returns the exit code of the process. */
export async function runLabDriver(config: RunConfig, { track }: DriveValues): Promise<number> {
  const { vehicleIds, domainNumber: domainId, networkInterface } = config;
  const network = { domainId, networkInterface, initialPeers: [] };
  return runDriver({ vehicleIds, network, track, tell });
}

/** The lab control of `hlc-middleware lab`. @returns the exit code of the process. */
export async function runLab(
  config: RunConfig,
  { participants }: LabControlValues,
): Promise<number> {
  const { ddsDomain: domainId, networkInterface, initialPeers, vehicleIds, simulatedTime } = config;
  return runLabControl({
    network: await labNetwork({ domainId, networkInterface, initialPeers }),
    periodMs: (config.periodNs ?? 0n) / nsPerMs,
    activeVehicleIds: config.activeVehicleIds ?? vehicleIds,
    simulatedTime,
    participants,
    input: process.stdin,
    tell,
  });
}
