import { rosConstantName, rosFieldName, rosPackage, rosTopicName } from './ros-names.mjs';
import { rosPrimitive } from './ros-type.mjs';

/** @typedef {import('./model.mjs').StructType} StructType */
/** @typedef {import('./model.mjs').Field} Field */

/**
 * The `.msg` file of a type: the same fields in the same order, so that the bytes are the same.
 * @param {StructType} type
 * @returns {string}
 */
export function emitMsg(type) {
  const head = comment([
    ...type.doc.map(withRosTopic),
    '',
    `Generated from idl/${type.idlFile}; changes here are lost. Units and axes as in REP-103.`,
  ]);
  return `${head}\n${type.fields.map(emitField).join('\n')}`;
}

/** @param {Field} field */
function emitField({ name, doc, element, sequence, bound }) {
  // With the package: to some tools a bare Header is that of std_msgs.
  const nested = element.kind === 'struct' ? `${rosPackage}/${element.name}` : '';
  const type = rosPrimitive(element)?.msg ?? nested;
  const brackets = sequence ? `[${bound === undefined ? '' : `<=${bound}`}]` : '';
  const field = `${comment(doc)}${type}${brackets} ${rosFieldName(name)}\n`;
  if (element.kind !== 'enum') return field;
  const constants = element.values.map(
    (value, number) =>
      `${comment(value.doc)}${type} ${rosConstantName(name, value.name)}=${number}\n`,
  );
  return `${constants.join('')}${field}`;
}

/** The comments in `idl/` name topics as in plain DDS. @param {string} line */
function withRosTopic(line) {
  return line.replaceAll(
    /\(topic `(\w+)`\)/g,
    (_, /** @type {string} */ name) => `(topic \`${rosTopicName(name)}\`)`,
  );
}

/** @param {string[]} lines */
function comment(lines) {
  return lines.map((line) => `# ${line}`.trimEnd() + '\n').join('');
}
