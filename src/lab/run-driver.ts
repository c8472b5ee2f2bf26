import { createController } from '../controller/index.js';
import { DdsContext } from '../dds/index.js';
import { signalExitCodes, type EndSignal } from '../errors/index.js';
import { onEndSignal } from '../sides/index.js';
import { joinSide, type SideMembership } from './join-side.js';
import { tracks, type TrackName } from './track/index.js';
import { driveAlong } from './track-driver.js';

/** What {@link runDriver} needs. */
export interface DriverRun extends SideMembership {
  readonly track: TrackName;
}

/**
 * Runs an example controller that follows a track, until the lab stops it or SIGHUP, SIGINT or
 * SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runDriver(run: DriverRun): Promise<number> {
  const { vehicleIds, report } = run;
  const track = tracks[run.track];
  const dds = DdsContext.open({ onFault: (fault) => report(`fault: ${String(fault)}`) });
  try {
    const controller = createController({
      vehicleIds,
      transport: joinSide(run, dds).transport,
      onStep: (step) => vehicleIds.map((id) => driveAlong(track, id, step)),
      onError: (error) => report(`fault: ${String(error)}`),
    });
    let received: EndSignal | undefined;
    onEndSignal((signal) => {
      received = signal;
      controller.close();
    });
    await controller.closed;
    return received === undefined ? 0 : signalExitCodes[received];
  } finally {
    dds.close();
  }
}
