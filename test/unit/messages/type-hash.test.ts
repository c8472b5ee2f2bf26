import { describe, expect, it } from 'vitest';
import { typeHash, type TypeDescription } from '../../../tools/codegen/type-hash.mjs';

const types = new Map(
  [
    { typeName: 'std_msgs/msg/String', fields: [{ name: 'data', typeId: 17 }] },
    {
      typeName: 'builtin_interfaces/msg/Time',
      fields: [
        { name: 'sec', typeId: 6 },
        { name: 'nanosec', typeId: 7 },
      ],
    },
    {
      typeName: 'std_msgs/msg/Header',
      fields: [
        { name: 'stamp', typeId: 1, nested: 'builtin_interfaces/msg/Time' },
        { name: 'frame_id', typeId: 17 },
      ],
    },
    {
      typeName: 'std_msgs/msg/Float64MultiArray',
      fields: [
        { name: 'layout', typeId: 1, nested: 'std_msgs/msg/MultiArrayLayout' },
        { name: 'data', typeId: 11 + 144 },
      ],
    },
    {
      typeName: 'std_msgs/msg/MultiArrayLayout',
      fields: [
        { name: 'dim', typeId: 1 + 144, nested: 'std_msgs/msg/MultiArrayDimension' },
        { name: 'data_offset', typeId: 7 },
      ],
    },
    {
      typeName: 'std_msgs/msg/MultiArrayDimension',
      fields: [
        { name: 'label', typeId: 17 },
        { name: 'size', typeId: 7 },
        { name: 'stride', typeId: 7 },
      ],
    },
    {
      typeName: 'rmw_dds_common/msg/Gid',
      fields: [{ name: 'data', typeId: 3 + 48, capacity: 16 }],
    },
    {
      typeName: 'rmw_dds_common/msg/NodeEntitiesInfo',
      fields: [
        { name: 'node_namespace', typeId: 21, stringCapacity: 256 },
        { name: 'node_name', typeId: 21, stringCapacity: 256 },
        { name: 'reader_gid_seq', typeId: 1 + 144, nested: 'rmw_dds_common/msg/Gid' },
        { name: 'writer_gid_seq', typeId: 1 + 144, nested: 'rmw_dds_common/msg/Gid' },
      ],
    },
    {
      typeName: 'rmw_dds_common/msg/ParticipantEntitiesInfo',
      fields: [
        { name: 'gid', typeId: 1, nested: 'rmw_dds_common/msg/Gid' },
        {
          name: 'node_entities_info_seq',
          typeId: 1 + 144,
          nested: 'rmw_dds_common/msg/NodeEntitiesInfo',
        },
      ],
    },
  ].map((type): [string, TypeDescription] => [type.typeName, type]),
);

/** As the type descriptions of ROS 2 Jazzy have them (`share/PACKAGE/msg/TYPE.json`). */
const jazzy = {
  'std_msgs/msg/String': 'df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18',
  'builtin_interfaces/msg/Time': 'b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197',
  'std_msgs/msg/Header': 'f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01',
  'std_msgs/msg/Float64MultiArray':
    '1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f',
  'rmw_dds_common/msg/ParticipantEntitiesInfo':
    '91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e',
};

describe('The type hash', () => {
  it.each(Object.entries(jazzy))('of %s is that of ROS 2', (typeName, digits) => {
    expect(typeHash(typeName, types)).toBe(`RIHS01_${digits}`);
  });

  it('is not made of a type that is not described', () => {
    const lonely = new Map([...types].filter(([name]) => name !== 'builtin_interfaces/msg/Time'));
    expect(() => typeHash('std_msgs/msg/Header', lonely)).toThrow(
      'The type builtin_interfaces/msg/Time is not described.',
    );
  });
});
