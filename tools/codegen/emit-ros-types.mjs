import { rosTypeName, rosWireTypeName } from './ros-names.mjs';
import { describeType } from './ros-type.mjs';
import { typeHash } from './type-hash.mjs';

/** @typedef {import('./model.mjs').StructType} StructType */

/**
 * The TypeScript module that says how ROS 2 knows the topic types.
 * @param {StructType[]} types
 * @returns {string}
 */
export function emitRosTypes(types) {
  const descriptions = new Map(types.map((type) => [rosTypeName(type.name), describeType(type)]));
  const rows = types
    .filter((type) => type.topic)
    .map(
      ({ name, keyed }) => `  ${name}: {
    name: '${rosTypeName(name)}',
    wireName: '${rosWireTypeName(name)}',
    hash: '${typeHash(rosTypeName(name), descriptions)}',
    keyedInIdl: ${keyed},
  },
`,
    );
  return `// Generated from idl/ by tools/codegen; changes here are lost.
import type { RosType } from '../ros-type.js';

/** The topic types as ROS 2 knows them, by their names in \`idl/\`. */
export const rosTypes: Readonly<Record<string, RosType | undefined>> = {
${rows.join('')}};
`;
}
