import type { RunConfig, SideKind } from '../../config/index.js';
import { middlewareNamePrefix } from '../../diagnosis/index.js';
import type { DiscoveredDomain, Transport } from '../../ports/index.js';
import type { DdsContext, DomainNetwork } from '../../dds/index.js';
import { BothNamesTransport, participantData, RosNamedTransport } from '../../ros2/on-dds/index.js';
import type { RosTopics } from '../../ros2/index.js';
import type { Logger } from '../logger.js';

/** A side that lists the participants of its domain, with topics and types as in `idl/`. */
export interface DiscoveringTransport extends Transport {
  discovered(): DiscoveredDomain;
  /** Present where topics have the names of ROS 2. */
  readonly topics?: RosTopics;
}

/**
 * One side over DDS, with the names of the wire contract, with those of ROS 2, or with both.
 * @throws HlcError `HLC_DDS_DOMAIN`.
 */
export function joinDds(
  dds: DdsContext,
  network: DomainNetwork,
  kind: SideKind,
  { nodeId, session, sides: { ros } }: RunConfig,
  log: Logger,
): DiscoveringTransport {
  const name = `${middlewareNamePrefix}${nodeId}`;
  if (kind === 'dds') return dds.join(network, {}, name);
  const Named = kind === 'both' ? BothNamesTransport : RosNamedTransport;
  return new Named(dds.join(network, { userData: participantData }, name), {
    node: ros.node,
    topicRemaps: ros.topicRemaps,
    writtenVehicles: session.vehicleIds.length,
    nowNs: () => dds.clocks.realtimeNs(),
    onError: ({ code, message }) => log.warn({ code, domain: network.domainId }, message),
  });
}
