import type { DriveValues, FleetValues, RunConfig } from '../config/index.js';
import { runDriver, runFleet } from '../lab/index.js';
import { labNetwork } from '../sides/index.js';

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** The simulated vehicles of `hlc-middleware fleet`. @returns the exit code of the process. */
export async function runLabFleet(config: RunConfig, lab: FleetValues): Promise<number> {
  const { vehicleIds, ddsDomain: domainId, networkInterface, initialPeers } = config;
  const { track, seed, loss, delayMs: delayNs, stateNoise } = lab;
  return runFleet({
    vehicleIds,
    network: await labNetwork({ domainId, networkInterface, initialPeers }),
    track,
    disturbances: { seed, loss, delayNs, stateNoise },
    simulatedTime: config.simulatedTime,
    tell,
  });
}

/** The controller of `hlc-middleware drive`. @returns the exit code of the process. */
export async function runLabDriver(config: RunConfig, { track }: DriveValues): Promise<number> {
  const { vehicleIds, domainNumber: domainId, networkInterface } = config;
  const network = { domainId, networkInterface, initialPeers: [] };
  return runDriver({ vehicleIds, network, track, tell });
}
