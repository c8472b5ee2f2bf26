import { nsPerMs } from '../core/index.js';
import type { DriveValues, FleetValues, LabControlValues, RunConfig } from '../config/index.js';
import { runDriver, runFleet, runLabControl } from '../lab/index.js';
import { controllerRequest } from '../node/index.js';
import { sideNetwork } from '../sides/index.js';

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** The simulated vehicles of `hlc-middleware fleet`. @returns the exit code of the process. */
export async function runLabFleet(config: RunConfig, lab: FleetValues): Promise<number> {
  const {
    vehicleIds,
    ddsDomain: domainId,
    networkInterface,
    localAddresses,
    initialPeers,
  } = config;
  const { track, seed, loss, delayMs: delayNs, stateNoise } = lab;
  return runFleet({
    vehicleIds,
    network: await sideNetwork({ domainId, networkInterface, localAddresses, initialPeers }),
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
  const { vehicleIds } = config;
  return runDriver({
    vehicleIds,
    network: await sideNetwork(controllerRequest(config)),
    track,
    tell,
  });
}

/** The lab control of `hlc-middleware lab`. @returns the exit code of the process. */
export async function runLab(
  config: RunConfig,
  { participants }: LabControlValues,
): Promise<number> {
  const { ddsDomain: domainId, networkInterface, localAddresses, initialPeers } = config;
  const { vehicleIds, simulatedTime } = config;
  return runLabControl({
    network: await sideNetwork({ domainId, networkInterface, localAddresses, initialPeers }),
    periodMs: (config.periodNs ?? 0n) / nsPerMs,
    activeVehicleIds: config.activeVehicleIds ?? vehicleIds,
    simulatedTime,
    participants,
    input: process.stdin,
    tell,
  });
}
