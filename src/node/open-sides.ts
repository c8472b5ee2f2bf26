import type { RunConfig } from '../config/index.js';
import type { HeardDomain } from '../core/ports/index.js';
import type { DdsContext } from '../dds/index.js';
import { chooseProfile, type QosLibraries } from '../dds/qos/index.js';
import {
  loadRclnodejs,
  RosParticipant,
  type Rclnodejs,
  type RosNodeHandle,
} from '../ros2/index.js';
import {
  createSide,
  defaultInterface,
  labNetwork,
  type LabNetworkRequest,
  type Side,
} from '../sides/index.js';
import { joinDds, type HearingTransport } from './dds-transport.js';
import type { Logger } from './logger.js';

/** Both sides of one run. */
export interface Sides {
  readonly lab: Side;
  readonly controllers: Side;
  /** Who is heard there; undefined with ROS 2, which does not tell. */
  readonly heardOnLab: () => HeardDomain | undefined;
  readonly heardByControllers: () => HeardDomain | undefined;
  /** The nodes of ROS 2, one for each side on it. */
  readonly rosNodes: readonly RosNodeHandle[];
  /** Closes those on ROS 2; those on plain DDS close with their context. */
  close(): Promise<void>;
}

/**
 * Opens both sides, each on its transport.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_QOS_PROFILE`, `HLC_CONFIG_PEER`, `HLC_PEER_UNREACHABLE`,
 *   `HLC_ROS_UNAVAILABLE`, `HLC_ROS_NODE`.
 */
export async function openSides(
  config: RunConfig,
  dds: DdsContext,
  libraries: QosLibraries,
  log: Logger,
): Promise<Sides> {
  const { labTransport, controllerTransport, ddsDomain, domainNumber, networkInterface } = config;
  const nodes: RosParticipant[] = [];
  const close = async () => {
    for (const node of nodes) node.close();
    await Promise.all(nodes.map(({ ended }) => ended));
  };
  const usesRos = labTransport === 'ros2' || controllerTransport === 'ros2';
  const rclnodejs = usesRos ? await loadRclnodejs() : undefined;
  const join = async (
    transport: RunConfig['labTransport'],
    domainId: number,
    onDds: () => HearingTransport | Promise<HearingTransport>,
  ): Promise<HearingTransport | RosParticipant> => {
    if (transport === 'dds' || rclnodejs === undefined) return onDds();
    const node = await openRosNode(config, rclnodejs, domainId, log);
    nodes.push(node);
    return node;
  };
  try {
    const lab = await join(labTransport, ddsDomain, async () => {
      const network = await labNetwork(labRequest(config, libraries));
      return joinDds(dds, network, config.labNaming, config, log);
    });
    const controllers = await join(controllerTransport, domainNumber, () => {
      const network = { domainId: domainNumber, networkInterface, initialPeers: [] };
      return joinDds(dds, network, config.controllerNaming, config, log);
    });
    return {
      lab: createSide('Lab', lab, libraries),
      controllers: createSide('Controller', controllers, libraries),
      heardOnLab: () => heardBy(lab),
      heardByControllers: () => heardBy(controllers),
      rosNodes: nodes.map(({ handle }) => handle),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function heardBy(participant: HearingTransport | RosParticipant): HeardDomain | undefined {
  return participant instanceof RosParticipant ? undefined : participant.heard();
}

/** What flags and QoS file say of the network of the lab side; a flag counts before the file. */
export function labRequest(config: RunConfig, libraries: QosLibraries): LabNetworkRequest {
  const { initialPeers = [], interfaces = [] } = chooseProfile(libraries, 'Lab').discovery;
  const isDefault = config.networkInterface === defaultInterface;
  return {
    domainId: config.ddsDomain,
    networkInterface: (isDefault ? interfaces[0] : undefined) ?? config.networkInterface,
    initialPeers: [...config.initialPeers, ...initialPeers],
  };
}

function openRosNode(
  { ros, vehicleIds }: RunConfig,
  rclnodejs: Rclnodejs,
  domainId: number,
  log: Logger,
): Promise<RosParticipant> {
  return RosParticipant.open(rclnodejs, {
    domainId,
    name: ros.node.name,
    rosArguments: ros.arguments,
    useSimTime: ros.useSimTime,
    writtenVehicles: vehicleIds.length,
    onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
  });
}
