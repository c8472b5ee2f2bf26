import type { CarlaValues, RunConfig } from '../config/index.js';
import { runCarlaGateway } from '../gateways/index.js';
import { controllerRequest } from '../node/index.js';
import { sideNetwork } from '../sides/index.js';

const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** The gateway of `hlc-middleware gateway carla`. @returns the exit code of the process. */
export async function runCarla(config: RunConfig, values: CarlaValues): Promise<number> {
  const { vehicleIds, interruptExitCode } = config;
  const { listen: host, port, sensors, vehicleLength, vehicleWidth, vehicleHeight } = values;
  return runCarlaGateway({
    host,
    port,
    vehicleIds,
    vehicleSize: { length: vehicleLength, width: vehicleWidth, height: vehicleHeight },
    sensors,
    labSide: await labNetwork(config),
    controllerSide: await sideNetwork(controllerRequest(config)),
    interruptExitCode,
    tell,
  });
}

function labNetwork(config: RunConfig) {
  const { ddsDomain: domainId, networkInterface, localAddresses, initialPeers } = config;
  return sideNetwork({ domainId, networkInterface, localAddresses, initialPeers });
}
