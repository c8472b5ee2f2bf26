import { performance } from 'node:perf_hooks';

import type { DdsContext, DomainNetwork } from '../../dds/index.js';
import {
  loadRclnodejs,
  nodeTopics,
  RosClock,
  RosParticipant,
  type RosTopics,
} from '../../ros2/index.js';
import { participantData, RosNamedTransport, type TopicNames } from '../../ros2/on-dds/index.js';
import { LimitedLog } from '../limited-log.js';

/** How a gateway publishes `/clock`. */
export interface ClockOptions {
  /** A node of rclnodejs, or a participant of plain DDS that looks like a node. */
  readonly kind: 'dds' | 'rclnodejs';
  readonly network: DomainNetwork;
  readonly ros: TopicNames & { readonly arguments: readonly string[] };
  readonly log: (text: string) => void;
}

/** An open `/clock`. */
export interface Clock {
  /**
   * Begins to publish.
   * @throws HlcError `HLC_ROS_CLOCK_TAKEN` when another node publishes it; `HLC_ROS_MESSAGES`.
   */
  open(): void;
  /** @param timeNs Simulated time, ns. */
  publish(timeNs: bigint): void;
  close(): Promise<void>;
}

/** A time that stands is repeated for nodes that join later, ms. */
const repeatMs = 1000;

/**
 * Joins ROS 2 to publish `/clock`.
 * @throws HlcError `HLC_DDS_DOMAIN`; `HLC_ROS_UNAVAILABLE`, `HLC_ROS_NODE` of rclnodejs.
 */
export async function joinForClock(options: ClockOptions, dds: DdsContext): Promise<Clock> {
  const faults = new LimitedLog(options.log, () => performance.now());
  const { topics, close } = await (options.kind === 'rclnodejs'
    ? joinByRclnodejs(options, faults)
    : joinByDds(options, dds, faults));
  const clock = new RosClock(topics);
  const timer = setInterval(() => clock.repeat(), repeatMs);
  return {
    open: () => clock.open(),
    publish: (timeNs) => clock.publish(timeNs),
    close() {
      clearInterval(timer);
      return close();
    },
  };
}

interface Joined {
  readonly topics: RosTopics;
  readonly close: () => Promise<void>;
}

function joinByDds({ network, ros }: ClockOptions, dds: DdsContext, faults: LimitedLog): Joined {
  const transport = new RosNamedTransport(dds.join(network, { userData: participantData }), {
    ...ros,
    writtenVehicles: 1,
    nowNs: () => dds.clocks.realtimeNs(),
    onError: (error) => faults.fault(error),
  });
  return {
    topics: transport.topics,
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

async function joinByRclnodejs(
  { network, ros }: ClockOptions,
  faults: LimitedLog,
): Promise<Joined> {
  const node = await RosParticipant.open(await loadRclnodejs(), {
    domainId: network.domainId,
    name: ros.node.name,
    rosArguments: ros.arguments,
    useSimTime: false,
    startTypeDescription: false,
    writtenVehicles: 1,
    onFault: (fault) => faults.fault(fault),
  });
  return {
    topics: nodeTopics(node.handle),
    async close() {
      node.close();
      await node.ended;
    },
  };
}
