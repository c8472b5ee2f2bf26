import { performance } from 'node:perf_hooks';

import type { Transport } from '../../ports/index.js';
import type { DomainNetwork } from '../../dds/index.js';
import { topics } from '../../messages/index.js';
import {
  createVehicles,
  readTopic,
  reportedTopicErrors,
  stateReaderQos,
} from '../../sides/index.js';
import { LimitedLog } from '../limited-log.js';
import { runGateway, type GatewayRun } from '../run-gateway.js';
import { openCaveGateway, type CaveGateway } from './cave-gateway.js';
import { mostConnections } from './protocol/connections.js';
import { ClientVehicles, labVehicleOf, publishClientVehicle } from './lab-vehicles.js';
import type { WorldView } from './protocol/cave-server.js';

/** What {@link runCaveGateway} needs. */
export interface CaveGatewayRun extends GatewayRun {
  /** Ids for the vehicles of clients. */
  readonly ids: readonly number[];
  readonly ageOutMs: number;
  readonly view: WorldView;
  /** Of the vehicles of the lab, metres. */
  readonly wheelbase: number;
  readonly labSide: DomainNetwork;
  /** The vehicles of clients have the time of the steps of the lab. */
  readonly simulatedTime: boolean;
  /** In simulated time: clients whose states each step waits for; 0 for none. */
  readonly clients: number;
}

/**
 * Serves CAVE clients until SIGHUP, SIGINT or SIGTERM comes, in simulated time also until the lab stops.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_GATEWAY_LISTEN`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export function runCaveGateway(run: CaveGatewayRun): Promise<number> {
  const { host, port, ids, log } = run;
  return runGateway(run, async (dds) => {
    const transport = dds.join(run.labSide);
    const clients = new ClientVehicles(ids);
    // Each client of a full server has its line.
    const vehicleLog = new LimitedLog(log, () => performance.now(), mostConnections);
    const faults = new LimitedLog(log, () => performance.now());
    let opened: (gateway: CaveGateway) => void = () => undefined;
    const whenOpen = new Promise<CaveGateway>((resolve) => (opened = resolve));
    let onStop: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (onStop = resolve));
    const vehicles = await openVehicles({ ...run, onStop, faults }, transport, clients, whenOpen);
    const gateway = await openCaveGateway({
      host,
      port,
      ageOutMs: run.ageOutMs,
      steppedClients: run.clients,
      view: run.view,
      events: {
        vehicleAdded: (element) => {
          const id = clients.add(element);
          if (id === undefined) return false;
          const { idNumber, connectionNumber } = element;
          vehicleLog.inform(
            'new vehicles',
            `element ${idNumber} of client ${connectionNumber} is vehicle ${id}`,
          );
          return true;
        },
        vehicleMoved: (element) => {
          const moved = clients.move(element);
          // In simulated time the steps of the lab publish.
          if (moved !== undefined && !run.simulatedTime) publishClientVehicle(vehicles, moved);
        },
        vehicleRemoved: (element) => {
          const id = clients.remove(element);
          if (id === undefined) return;
          vehicleLog.inform('removed vehicles', `vehicle ${id} is gone with its element`);
        },
      },
      log,
    });
    opened(gateway);
    const isOfClient = new Set(ids);
    readTopic(
      { transport, qos: stateReaderQos },
      topics.vehicleState,
      (state) => {
        const { pose, speed } = state;
        const isFinite = [pose.x, pose.y, pose.yaw, speed].every(Number.isFinite);
        if (isOfClient.has(state.vehicle_id) || !isFinite) return;
        gateway.setLabVehicle(labVehicleOf(state, run.wheelbase));
      },
      reportedTopicErrors((error) => faults.fault(error)),
    );
    log(`CAVE clients are served on ${host}:${port}, with ${ids.length} vehicle ids`);
    return {
      get refused() {
        return gateway.refused;
      },
      ended,
      close: async () => {
        await gateway.close();
        vehicles.close();
      },
    };
  });
}

/** @param run `onStop`: called in simulated time when the lab has stopped. */
function openVehicles(
  run: CaveGatewayRun & { onStop: () => void; faults: LimitedLog },
  transport: Transport,
  clients: ClientVehicles,
  gateway: Promise<CaveGateway>,
) {
  const vehicles = createVehicles({
    ids: run.ids,
    transport,
    // Their clients move them.
    profile: { kinds: [] },
    onError: (error) => run.faults.fault(error),
    ...(run.simulatedTime
      ? {
          simulatedTime: {
            sourceId: 'cave_gateway',
            onStep: async (nowNs) => {
              const open = await vehicles;
              await (await gateway).step(nowNs);
              for (const client of clients.all) publishClientVehicle(open, client);
            },
          },
          // Stopped time never runs again; in real time the lab may.
          onStop: () => {
            run.log('the lab has stopped');
            run.onStop();
          },
        }
      : {}),
  });
  return vehicles;
}
