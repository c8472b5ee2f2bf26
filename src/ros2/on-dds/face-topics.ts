import { nsPerS } from '../../core/index.js';
import { isHlcError } from '../../errors/index.js';
import type { QosPolicies } from '../../ports/index.js';
import type { FaceQos, RosTopics } from '../face/topics.js';
import type { DdsSide } from './dds-side.js';
import { type OnRosError, typeHashData } from './node-announcement.js';
import { fullNodeName, type RosNode } from '../ros-names.js';

interface FaceOwner {
  readonly node: RosNode;
  /** ns since 1970. */
  readonly nowNs: () => bigint;
  readonly onError: OnRosError;
  /** A writer of the node was made; 32 hex digits. */
  readonly onWriter: (guid: string) => void;
}

/** Hashes of the types of ROS 2 itself that a node publishes (Jazzy), by their names. */
const typeHashes: Readonly<Record<string, string>> = {
  'rosgraph_msgs/msg/Clock':
    'RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564',
  'rcl_interfaces/msg/Log':
    'RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac',
  'diagnostic_msgs/msg/DiagnosticArray':
    'RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e',
};

const offered: Readonly<Record<FaceQos, QosPolicies>> = {
  default: {
    reliability: { kind: 'reliable' },
    history: { kind: 'keep-last', depth: 10 },
  },
  log: {
    reliability: { kind: 'reliable' },
    durability: { kind: 'transient-local' },
    durabilityService: { history: { kind: 'keep-last', depth: 1000 } },
    history: { kind: 'keep-last', depth: 1000 },
    lifespan: { durationNs: 10n * nsPerS },
  },
};

/** The topics of a node that is a participant of plain DDS. */
export function faceTopics(dds: DdsSide, { node, nowNs, onError, onWriter }: FaceOwner): RosTopics {
  return {
    nodeName: fullNodeName(node),
    nowNs,
    announce: (type, topic, qos = 'default') => {
      const writer = dds.createWriter(
        { name: `rt${topic}`, typeName: wireTypeName(type) },
        {
          ...offered[qos],
          writerDataLifecycle: { autodisposeUnregisteredInstances: false },
          userData: typeHashData(typeHashes[type] ?? ''),
        },
      );
      onWriter(writer.guid);
      return (message) => {
        try {
          writer.write(message);
        } catch (error) {
          if (!isHlcError(error)) throw error;
          if (error.code !== 'HLC_CLOSED') onError(error);
        }
      };
    },
    otherPublishersOf: (topic) =>
      dds
        .discovered()
        .participants.filter(({ endpoints }) =>
          endpoints.some(({ kind, topic: name }) => kind === 'writer' && name === `rt${topic}`),
        )
        .map(({ name, guidPrefix }) => name ?? guidPrefix),
  };
}

/** `rosgraph_msgs/msg/Clock` is `rosgraph_msgs::msg::dds_::Clock_` on the wire. */
function wireTypeName(type: string): string {
  const [package_ = '', folder = '', name = ''] = type.split('/');
  return `${package_}::${folder}::dds_::${name}_`;
}
