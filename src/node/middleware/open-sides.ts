import type { RunConfig, SideSettings, SidesSettings } from '../../config/index.js';
import { middlewareNamePrefix } from '../../diagnosis/index.js';
import { HlcError } from '../../errors/index.js';
import type { DiscoveredDomain } from '../../ports/index.js';
import type { DdsContext } from '../../dds/index.js';
import { chooseProfile, type QosLibraries } from '../../dds/qos/index.js';
import { RosNamedTransport } from '../../ros2/on-dds/index.js';
import {
  IdentifiedRosSide,
  loadRclnodejs,
  nodeTopics,
  rosDomainConfig,
  RosParticipant,
  whyNotIdentified,
  type Rclnodejs,
  type RosNodeHandle,
  type RosTopics,
} from '../../ros2/index.js';
import {
  createSide,
  defaultInterface,
  sideNetwork,
  type Side,
  type SideNetworkRequest,
} from '../../sides/index.js';
import { joinDds, type DiscoveringTransport } from './dds-transport.js';
import type { Logger } from '../logger.js';

/** Both sides of one run. */
export interface Sides {
  readonly lab: Side;
  readonly controllers: Side;
  /** The discovered participants of a side; undefined over rclnodejs, which has no such list. */
  readonly discoveredOnLab: () => DiscoveredDomain | undefined;
  readonly discoveredByControllers: () => DiscoveredDomain | undefined;
  /** The nodes of ROS 2, one for each side on it. */
  readonly rosNodes: readonly RosNodeHandle[];
  /** One for each side with the names of ROS 2, over either transport. */
  readonly rosTopics: readonly RosTopics[];
  /** Closes those on ROS 2; those on plain DDS close with their context. */
  close(): Promise<void>;
}

/**
 * Opens both sides, each on its transport.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_QOS_PROFILE`, `HLC_CONFIG_PEER`, `HLC_PEER_UNREACHABLE`,
 *   `HLC_ROS_UNAVAILABLE`, `HLC_ROS_NODE`, `HLC_ROS_IDENTITY`.
 */
export async function openSides(
  config: RunConfig,
  dds: DdsContext,
  libraries: QosLibraries,
  log: Logger,
  onFault: (fault: unknown) => void,
): Promise<Sides> {
  const { sides } = config;
  const nodes: RosParticipant[] = [];
  let closeIdentified: () => void = () => undefined;
  const close = async () => {
    closeIdentified();
    for (const node of nodes) node.close();
    await Promise.all(nodes.map(({ ended }) => ended));
  };
  refuseWithoutIdentity(sides, log);
  const usesRos = [sides.lab.kind, sides.controller.kind].includes('rclnodejs');
  const rclnodejs = usesRos ? await loadRclnodejs() : undefined;
  const join = async (
    { kind, domainId }: SideSettings,
    request: SideNetworkRequest,
  ): Promise<DiscoveringTransport | RosParticipant> => {
    if (kind !== 'rclnodejs' || rclnodejs === undefined) {
      return joinDds(dds, await sideNetwork(request), kind, config, log);
    }
    const node = await openRosNode(config, rclnodejs, domainId, onFault);
    nodes.push(node);
    return node;
  };
  try {
    const lab = await join(sides.lab, labRequest(config, libraries));
    const controllers = await join(sides.controller, sides.controller);
    const identified =
      controllers instanceof RosParticipant && sides.rosIdentity === 'dds'
        ? identifiedSide(controllers, dds, config, log)
        : undefined;
    if (identified !== undefined) closeIdentified = () => identified.close();
    return {
      lab: createSide('Lab', lab, libraries),
      controllers: createSide('Controller', identified ?? controllers, libraries),
      discoveredOnLab: () => discoveredBy(lab),
      discoveredByControllers: () => discoveredBy(controllers),
      rosNodes: nodes.map(({ handle }) => handle),
      rosTopics: [lab, controllers].flatMap((side) => rosTopicsOf(side) ?? []),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Controllers in ROS 2 without identity need the consent of the user.
 * @throws HlcError `HLC_ROS_IDENTITY`.
 */
function refuseWithoutIdentity({ controller, rosIdentity }: SidesSettings, log: Logger): void {
  if (controller.kind !== 'rclnodejs') return;
  if (rosIdentity === 'none') {
    log.warn(
      'controllers are not identified (--ros-identity=none): a lost controller is detected by its misses only, and a second one with the same id is not detected',
    );
    return;
  }
  const cause = whyNotIdentified(process.env);
  if (cause !== undefined) throw new HlcError('HLC_ROS_IDENTITY', { cause });
}

/** @throws HlcError `HLC_ROS_IDENTITY`. */
function identifiedSide(
  node: RosParticipant,
  dds: DdsContext,
  { nodeId, session: { vehicleIds }, sides: { ros, controller } }: RunConfig,
  log: Logger,
): IdentifiedRosSide {
  const onError = ({ code, message }: HlcError) => {
    log.error({ code, domain: controller.domainId }, message);
  };
  try {
    const name = `${middlewareNamePrefix}${nodeId}`;
    const config = rosDomainConfig(process.env);
    const readers = new RosNamedTransport(dds.joinBeside(controller.domainId, config, {}, name), {
      node: ros.node,
      topicRemaps: ros.topicRemaps,
      writtenVehicles: vehicleIds.length,
      nowNs: () => dds.clocks.realtimeNs(),
      onError,
      announced: false,
    });
    return new IdentifiedRosSide({ node, readers, onError });
  } catch (error) {
    throw new HlcError('HLC_ROS_IDENTITY', { cause: (error as Error).message }, { cause: error });
  }
}

function discoveredBy(
  participant: DiscoveringTransport | RosParticipant,
): DiscoveredDomain | undefined {
  return participant instanceof RosParticipant ? undefined : participant.discovered();
}

function rosTopicsOf(participant: DiscoveringTransport | RosParticipant): RosTopics | undefined {
  return participant instanceof RosParticipant
    ? nodeTopics(participant.handle)
    : participant.topics;
}

/** The network of the lab side by the flags and the QoS file; a flag counts before the file. */
export function labRequest(config: RunConfig, libraries: QosLibraries): SideNetworkRequest {
  const { initialPeers = [], interfaces = [] } = chooseProfile(libraries, 'Lab').discovery;
  const { lab } = config.sides;
  const isDefault = lab.networkInterface === defaultInterface;
  return {
    ...lab,
    networkInterface: (isDefault ? interfaces[0] : undefined) ?? lab.networkInterface,
    initialPeers: [...lab.initialPeers, ...initialPeers],
  };
}

function openRosNode(
  { session: { vehicleIds }, sides: { ros } }: RunConfig,
  rclnodejs: Rclnodejs,
  domainId: number,
  onFault: (fault: unknown) => void,
): Promise<RosParticipant> {
  return RosParticipant.open(rclnodejs, {
    domainId,
    name: ros.node.name,
    rosArguments: ros.arguments,
    useSimTime: ros.useSimTime,
    startTypeDescription: ros.startTypeDescription,
    writtenVehicles: vehicleIds.length,
    onFault,
  });
}
