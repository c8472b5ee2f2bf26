import { createController } from '../controller/index.js';
import { signalExitCodes, type EndSignal } from '../errors/index.js';
import type { DomainNetwork } from '../dds/index.js';
import { tracks, type TrackName } from './track/index.js';
import { driveAlong } from './track-driver.js';

/** What {@link runDriver} needs. */
export interface DriverRun {
  readonly vehicleIds: readonly number[];
  /** The controller side. */
  readonly network: DomainNetwork;
  readonly track: TrackName;
  readonly report: (text: string) => void;
}

/**
 * Runs an example controller that follows a track, until the lab stops it or SIGHUP, SIGINT or
 * SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runDriver(run: DriverRun): Promise<number> {
  const track = tracks[run.track];
  const controller = createController({
    vehicleIds: run.vehicleIds,
    network: run.network,
    onStep: (step) => run.vehicleIds.map((id) => driveAlong(track, id, step)),
    onError: (error) => run.report(`fault: ${String(error)}`),
  });
  let received: EndSignal | undefined;
  for (const signal of Object.keys(signalExitCodes) as EndSignal[]) {
    process.once(signal, () => {
      received = signal;
      controller.close();
    });
  }
  await controller.closed;
  return received === undefined ? 0 : signalExitCodes[received];
}
