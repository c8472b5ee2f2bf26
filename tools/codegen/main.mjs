// Generates what the build needs from the wire contract in idl/:
//   src/messages/generated/<type>.ts   the interface and the codec of each type
//   build/idl/topic-types.json         the topic types, for the build of the native add-on
//   build/idl/ros2/                    the same types as ROS 2 names them, for the same
//   ros2/hlc_middleware_msgs/msg/      the message files of the ROS 2 package
// Usage: node tools/codegen/main.mjs
import { dirname, join } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

import { emitMsg } from './emit-msg.mjs';
import { emitRosIdl } from './emit-ros-idl.mjs';
import { emitRosSchemas } from './emit-ros-schemas.mjs';
import { emitRosTypes } from './emit-ros-types.mjs';
import { emitType } from './emit-type.mjs';
import { loadIdl } from './load-idl.mjs';
import { buildModel } from './model.mjs';
import { fileStem } from './naming.mjs';
import { rosPackage, rosWireTypeName } from './ros-names.mjs';
import { syncFolder, writeChanged } from './write-changed.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const types = buildModel(loadIdl(join(root, 'idl')));
const structs = types.filter((type) => type.kind === 'struct');
const topicTypes = structs.filter((type) => type.topic);

const modules = new Map(types.map((type) => [`${fileStem(type.name)}.ts`, emitType(type)]));
const exports = types.map((type) => {
  const names = type.kind === 'enum' ? [type.name] : [`type ${type.name}`];
  if (type.kind === 'struct' && type.topic) names.push(`${type.name}Codec`);
  return `export { ${names.join(', ')} } from './${fileStem(type.name)}.js';\n`;
});
modules.set('ros-types.ts', emitRosTypes(structs));
modules.set('ros-schemas.ts', emitRosSchemas(structs));
exports.push("export { rosTypes } from './ros-types.js';\n");
exports.push("export { rosSchemas } from './ros-schemas.js';\n");
modules.set(
  'index.ts',
  `// Generated from idl/ by tools/codegen; changes here are lost.\n${exports.join('')}`,
);

const rosIdlFile = `${rosPackage}.idl`;
const messageFiles = new Map(structs.map((type) => [`${type.name}.msg`, emitMsg(type)]));
/** Name on the wire, file that declares it, name of idlc's descriptor. */
const registry = topicTypes.flatMap(({ name, idlFile }) => [
  { typeName: name, idlFile, descriptor: `${name}_desc` },
  {
    typeName: rosWireTypeName(name),
    idlFile: rosIdlFile,
    descriptor: `${rosWireTypeName(name).replaceAll('::', '_')}_desc`,
  },
]);

let changes = syncFolder(join(root, 'src/messages/generated'), modules);
changes += syncFolder(join(root, `ros2/${rosPackage}/msg`), messageFiles);
changes += syncFolder(join(root, 'build/idl/ros2'), new Map([[rosIdlFile, emitRosIdl(structs)]]));
if (
  writeChanged(join(root, 'build/idl/topic-types.json'), `${JSON.stringify(registry, null, 2)}\n`)
) {
  changes++;
}

stdout.write(
  `codegen: ${types.length} types, ${topicTypes.length} of them topic types; ${changes} files changed\n`,
);
