import { signalExitCodes, type EndSignal } from '../core/errors/index.js';
import { DdsContext, type DomainNetwork } from '../dds/index.js';
import { startFleet, type FleetEvent } from './fleet.js';
import { createSystemClock } from './lab-clock.js';

/**
 * Runs simulated vehicles in real time until SIGHUP, SIGINT or SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runFleet(
  vehicleIds: readonly number[],
  network: DomainNetwork,
  tell: (text: string) => void,
): Promise<number> {
  const dds = DdsContext.open({
    onFault: (fault) => tell(`fault: ${String(fault)}`),
    onLibraryLog: tell,
  });
  try {
    const fleet = startFleet({
      transport: dds.join(network),
      vehicleIds,
      clock: createSystemClock(() => dds.clocks.realtimeNs()),
      onEvent: (event) => tell(sentence(event)),
    });
    const { domainId, networkInterface } = network;
    tell(
      `vehicles ${vehicleIds.join(', ')} in real time, on DDS domain ${domainId}, interface ${networkInterface}`,
    );
    const signal = await new Promise<EndSignal>((resolve) => {
      for (const end of Object.keys(signalExitCodes) as EndSignal[]) process.once(end, resolve);
    });
    fleet.close();
    return signalExitCodes[signal];
  } finally {
    dds.close();
  }
}

function sentence(event: FleetEvent): string {
  switch (event.kind) {
    case 'command-timeout':
      return `vehicle ${event.vehicleId} has no valid command any more and brakes`;
    case 'command-resumed':
      return `vehicle ${event.vehicleId} drives by a command again`;
    case 'command-refused':
      return `vehicle ${event.vehicleId} refused a ${event.command} command: a number is not finite`;
    case 'steps-skipped':
      return `the simulation stalled and left out ${event.count} steps`;
    case 'fault':
      return `fault: ${String(event.error)}`;
  }
}
