import { rosFieldName, rosPackage } from './ros-names.mjs';
import { rosPrimitive } from './ros-type.mjs';

/** @typedef {import('./model.mjs').StructType} StructType */

/**
 * The types as ROS 2 names them on the wire, for idlc: without keys, since ROS 2 has none, and with
 * the bytes of the types in `idl/`.
 * @param {StructType[]} types in the order of their declaration
 * @returns {string}
 */
export function emitRosIdl(types) {
  const structs = types.map((type) => {
    const members = type.fields.map(({ name, element, sequence, bound }) => {
      const plain =
        rosPrimitive(element)?.idl ?? (element.kind === 'struct' ? `${element.name}_` : '');
      const elements = bound === undefined ? plain : `${plain}, ${bound}`;
      return `  ${sequence ? `sequence<${elements}>` : plain} ${rosFieldName(name)};\n`;
    });
    return `@final${type.topic ? '' : ' @nested'}\nstruct ${type.name}_ {\n${members.join('')}};\n`;
  });
  return (
    '// Generated from idl/ by tools/codegen; changes here are lost.\n' +
    `module ${rosPackage} { module msg { module dds_ {\n${structs.join('\n')}}; }; };\n`
  );
}
