import { performance } from 'node:perf_hooks';

import { createController } from '../../controller/index.js';
import type { DomainNetwork } from '../../dds/index.js';
import { joinSide, type SideMembership } from '../../lab/index.js';
import { reportedTopicErrors } from '../../sides/index.js';
import { openCarlaGateway } from './carla-gateway.js';
import { LimitedLog } from '../limited-log.js';
import { LabPoses } from './lab-poses.js';
import type { VehicleSize } from './protocol/transforms.js';
import { runGateway, type GatewayRun } from '../run-gateway.js';
import type { SensorMode } from './sensors/create-sensor-suite.js';

/** What {@link runCarlaGateway} needs. */
export interface CarlaGatewayRun extends GatewayRun {
  /** The vehicle of each start spot. */
  readonly vehicleIds: readonly number[];
  readonly vehicleSize: VehicleSize;
  readonly labSide: DomainNetwork;
  readonly controllerSide: Pick<SideMembership, 'network' | 'ros'>;
  readonly sensors: SensorMode;
}

/**
 * Serves CARLA clients until SIGHUP, SIGINT or SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_GATEWAY_LISTEN`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export function runCarlaGateway(run: CarlaGatewayRun): Promise<number> {
  const { host, port, vehicleIds, vehicleSize, log } = run;
  const limitedLog = new LimitedLog(log, () => performance.now());
  return runGateway(run, async (dds) => {
    const poses = new LabPoses(
      dds.join(run.labSide),
      reportedTopicErrors((error) => limitedLog.fault(error)),
    );
    const { transport } = joinSide({ ...run.controllerSide, vehicleIds, report: log }, dds);
    const gateway = await openCarlaGateway({
      host,
      port,
      vehicleIds,
      vehicleSize,
      createController: (options) => createController({ ...options, transport }),
      startSpots: () =>
        poses.of(vehicleIds, (unknown) =>
          limitedLog.inform(
            'start spots at the origin',
            `no state of vehicle ${unknown.join(', ')} yet; its start spot is the origin`,
          ),
        ),
      sensors: run.sensors,
      log,
    });
    log(`CARLA clients are served on ${host}:${port}, vehicles ${vehicleIds.join(', ')}`);
    return gateway;
  });
}
