import type { DdsContext, DomainNetwork } from '../dds/index.js';
import type { Transport } from '../ports/index.js';
import { participantData, RosNamedTransport, type TopicNames } from '../ros2/on-dds/index.js';

/** How a program of the lab takes part in one side. */
export interface SideMembership {
  readonly vehicleIds: readonly number[];
  readonly network: DomainNetwork;
  /** Node and remaps, for topics with the names of ROS 2; without them those of the CPM Lab. */
  readonly ros?: TopicNames;
  /** Prints a line for the user. */
  readonly report: (text: string) => void;
}

/** An open side of a program of the lab. */
export interface JoinedSide {
  readonly transport: Transport;
  /** Of its participant. */
  readonly guid: string;
}

/**
 * Joins a side over plain DDS, with the names of the CPM Lab or of ROS 2.
 * @throws HlcError `HLC_DDS_DOMAIN`.
 */
export function joinSide(
  { network, ros, vehicleIds, report }: SideMembership,
  dds: DdsContext,
): JoinedSide {
  if (ros === undefined) {
    const transport = dds.join(network);
    return { transport, guid: transport.guid };
  }
  const participant = dds.join(network, { userData: participantData });
  const transport = new RosNamedTransport(participant, {
    ...ros,
    writtenVehicles: vehicleIds.length,
    nowNs: () => dds.clocks.realtimeNs(),
    onError: ({ message }) => report(message),
  });
  return { transport, guid: participant.guid };
}
