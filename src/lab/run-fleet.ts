import { DdsContext, type DomainNetwork } from '../dds/index.js';
import { startFleet, type FleetEvent } from './fleet.js';
import { createSystemClock } from './lab-clock.js';

/**
 * Runs simulated vehicles in real time until SIGINT or SIGTERM comes.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runFleet(
  vehicleIds: readonly number[],
  network: DomainNetwork,
  tell: (text: string) => void,
): Promise<void> {
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
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    fleet.close();
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
