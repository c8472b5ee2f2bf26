import { emitMsg } from './emit-msg.mjs';
import { rosPackage } from './ros-names.mjs';

/** @typedef {import('./model.mjs').StructType} StructType */

/** Between the definitions of a schema, as rosbag2 and Foxglove write it. */
const separator = `${'='.repeat(80)}\n`;

/**
 * The TypeScript module with the message definitions of the topic types, each with all types that it
 * uses, as readers of recordings expect it (schema encoding `ros2msg`).
 * @param {StructType[]} types
 * @returns {string}
 */
export function emitRosSchemas(types) {
  const byName = new Map(types.map((type) => [type.name, type]));
  const rows = types
    .filter((type) => type.topic)
    .map((type) => `  ${type.name}: ${JSON.stringify(schemaOf(type, byName))},\n`);
  return `// Generated from idl/ by tools/codegen; changes here are lost.

/** The topic types as \`ros2msg\` schemas, by their names in \`idl/\`. */
export const rosSchemas: Readonly<Record<string, string | undefined>> = {
${rows.join('')}};
`;
}

/** @param {StructType} type @param {Map<string, StructType>} byName */
function schemaOf(type, byName) {
  const used = new Set([type.name]);
  // A set also visits what is added meanwhile.
  for (const name of used) {
    for (const { element } of byName.get(name)?.fields ?? []) {
      if (element.kind === 'struct') used.add(element.name);
    }
  }
  const [, ...nested] = [...used].flatMap((name) => byName.get(name) ?? []);
  const parts = nested.map(
    (struct) => `${separator}MSG: ${rosPackage}/${struct.name}\n${emitMsg(struct)}`,
  );
  return [emitMsg(type), ...parts].join('');
}
