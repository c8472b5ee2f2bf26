/** How a node offers a topic beside those of its sessions. */
export type FaceQos =
  /** Reliable, keep last 10, volatile: the default of ROS 2. */
  | 'default'
  /** As rcl offers `/rosout`: reliable, and the last 1000 for late joiners. */
  | 'log';

/** What a node publishes beside the topics of its sessions, and sees of other publishers. */
export interface RosTopics {
  /** Full name of the node: `/ns/name`. */
  readonly nodeName: string;
  /** ns; with `use_sim_time` the time of `/clock`. */
  nowNs(): bigint;
  /**
   * Offers a topic of a type of ROS 2 itself.
   * @param type for example `rosgraph_msgs/msg/Clock`.
   * @param topic absolute, or with `~/` before it.
   * @returns publishes a serialized message (CDR with its header); a fault is reported, not thrown,
   *   since no session depends on it. Does nothing after the node was closed.
   * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
   */
  announce(type: string, topic: string, qos?: FaceQos): (message: Buffer) => void;
  /** Names of the other nodes that publish an absolute topic, as far as they are discovered. */
  otherPublishersOf(topic: string): readonly string[];
}
