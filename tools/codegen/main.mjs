// Generates what the build needs from the wire contract in idl/:
//   src/messages/generated/<type>.ts   the interface and the codec of each type
//   build/idl/topic-types.json         the topic types, for the build of the native add-on
// Usage: node tools/codegen/main.mjs
import { dirname, join } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

import { emitType } from './emit-type.mjs';
import { loadIdl } from './load-idl.mjs';
import { buildModel } from './model.mjs';
import { fileStem } from './naming.mjs';
import { syncFolder, writeChanged } from './write-changed.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const types = buildModel(loadIdl(join(root, 'idl')));
const topicTypes = types.filter((type) => type.kind === 'struct').filter((type) => type.topic);

const modules = new Map(types.map((type) => [`${fileStem(type.name)}.ts`, emitType(type)]));
const exports = types.map((type) => {
  const names = type.kind === 'enum' ? [type.name] : [`type ${type.name}`];
  if (type.kind === 'struct' && type.topic) names.push(`${type.name}Codec`);
  return `export { ${names.join(', ')} } from './${fileStem(type.name)}.js';\n`;
});
modules.set(
  'index.ts',
  `// Generated from idl/ by tools/codegen; changes here are lost.\n${exports.join('')}`,
);

let changes = syncFolder(join(root, 'src/messages/generated'), modules);
const registry = topicTypes.map(({ name, keyed, idlFile }) => ({ typeName: name, keyed, idlFile }));
if (
  writeChanged(join(root, 'build/idl/topic-types.json'), `${JSON.stringify(registry, null, 2)}\n`)
) {
  changes++;
}

stdout.write(
  `codegen: ${types.length} types, ${topicTypes.length} of them topic types; ${changes} files changed\n`,
);
