import { CdrReader, CdrWriter } from '../../messages/index.js';
import type { RosNode } from '../ros-names.js';

/** A node with the readers and writers that are its own, GUIDs of 32 hex digits. */
export interface NodeEntities extends RosNode {
  readonly readers: readonly string[];
  readonly writers: readonly string[];
}

/** What one participant says of its nodes (`idl/ros2/ParticipantEntitiesInfo.idl`). */
export interface ParticipantEntities {
  /** GUID of the participant, 32 hex digits. */
  readonly participant: string;
  readonly nodes: readonly NodeEntities[];
}

/** The topic on which the participants of ROS 2 say which nodes they have. */
export const discoveryTopic = {
  name: 'ros_discovery_info',
  typeName: 'rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_',
} as const;
/** Of `rmw_dds_common/msg/ParticipantEntitiesInfo` in ROS 2 Iron and later. */
export const discoveryTypeHash =
  'RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e';

const gidBytes = 16;
/** Two empty names and two empty sequences. */
const leastNodeBytes = 18;

/** CDR, little endian, with encapsulation header. */
export function encodeParticipantEntities({ participant, nodes }: ParticipantEntities): Uint8Array {
  const w = new CdrWriter().begin();
  writeGid(w, participant);
  w.sequenceLength(nodes, 'node_entities_info_seq');
  for (const { namespace, name, readers, writers } of nodes) {
    w.string(namespace, 'node_namespace');
    w.string(name, 'node_name');
    for (const gids of [readers, writers]) {
      w.sequenceLength(gids, 'gid_seq');
      for (const gid of gids) writeGid(w, gid);
    }
  }
  return w.finish();
}

/** @throws CdrError when the bytes are no such sample. */
export function decodeParticipantEntities(bytes: Uint8Array): ParticipantEntities {
  const r = new CdrReader(bytes);
  const participant = readGid(r);
  const nodes: NodeEntities[] = [];
  for (let left = r.sequenceLength(leastNodeBytes); left > 0; left--) {
    const namespace = r.string();
    const name = r.string();
    nodes.push({ namespace, name, readers: readGids(r), writers: readGids(r) });
  }
  r.end();
  return { participant, nodes };
}

function writeGid(w: CdrWriter, gid: string): void {
  for (const octet of Buffer.from(gid, 'hex')) w.uint8(octet, 'gid');
}

function readGid(r: CdrReader): string {
  return Buffer.from(Array.from({ length: gidBytes }, () => r.uint8())).toString('hex');
}

function readGids(r: CdrReader): string[] {
  return Array.from({ length: r.sequenceLength(gidBytes) }, () => readGid(r));
}
