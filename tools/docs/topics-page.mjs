// docs/reference/topics.md: the topics of both sides and the fields of their types, from idl/ and the
// QoS profiles.

import { rosTopicName } from '../codegen/ros-names.mjs';
import { markdownTable } from '../markdown-table.mjs';

/** @import { ElementType, EnumType, IdlType, StructType } from '../codegen/model.mjs' */

/**
 * @typedef {'lab' | 'controller'} SideName
 *
 * @typedef {object} Endpoint a reader or a writer of the middleware
 * @property {string} topic
 * @property {string} type
 * @property {readonly string[]} qos one text per reader or writer; two readers serve writers of both kinds
 *
 * @typedef {object} SideEndpoints
 * @property {readonly Endpoint[]} writers
 * @property {readonly Endpoint[]} readers
 *
 * @typedef {object} TopicFacts
 * @property {readonly IdlType[]} types
 * @property {readonly { name: string, typeName: string }[]} topics all topics of the contract
 * @property {Readonly<Record<SideName, SideEndpoints>>} sides
 */

const introduction = `# Topics

<!-- Generated from idl/ and qos/default.xml by "npm run docs"; do not edit by hand. -->

Every topic of the middleware and every field of its type. The QoS is that of
[\`qos/default.xml\`](../../qos/default.xml); a [QoS file](../guide/qos.md) changes it. A topic with two
readers accepts reliable and best-effort writers. [Wire](wire.md) describes the encoding and
[ROS 2](../guide/ros2.md) the names in ROS 2.
`;

/** @type {Readonly<Record<SideName, string>>} */
const sideTitles = {
  controller: 'Controller side',
  lab: 'Lab side',
};

/** What the IDL calls the types that the parser names by their size. @type {Map<string, string>} */
const idlNames = new Map([
  ['bool', 'boolean'],
  ['uint8', 'octet'],
  ['int16', 'short'],
  ['uint16', 'unsigned short'],
  ['int32', 'long'],
  ['uint32', 'unsigned long'],
  ['int64', 'long long'],
  ['uint64', 'unsigned long long'],
  ['float32', 'float'],
  ['float64', 'double'],
]);

/**
 * The page as Markdown.
 * @param {TopicFacts} facts
 */
export function topicsPage({ types, topics, sides }) {
  const used = new Set(
    Object.values(sides).flatMap(({ writers, readers }) =>
      [...writers, ...readers].map(({ topic }) => topic),
    ),
  );
  const others = topics.filter(({ name }) => !used.has(name));
  return [
    introduction,
    sideSection('controller', sides.controller),
    sideSection('lab', sides.lab),
    otherSection(others),
    '## Types\n',
    ...types.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(typeSection),
  ].join('\n');
}

/**
 * @param {SideName} side
 * @param {SideEndpoints} endpoints
 */
function sideSection(side, { writers, readers }) {
  const rows = [
    ...writers.map((endpoint) => endpointRow('writes', endpoint)),
    ...readers.map((endpoint) => endpointRow('reads', endpoint)),
  ];
  const headings = ['Topic', 'Type', 'The middleware', 'QoS of the middleware', 'Topic in ROS 2'];
  return `## ${sideTitles[side]}\n\n${markdownTable(headings, rows)}`;
}

/**
 * @param {string} verb
 * @param {Endpoint} endpoint
 */
function endpointRow(verb, { topic, type, qos }) {
  return [
    code(topic),
    typeLink(type),
    verb,
    qos.join('; second reader: '),
    code(`/${rosTopicName(topic)}`),
  ];
}

/** @param {readonly { name: string, typeName: string }[]} others */
function otherSection(others) {
  const rows = others.map(({ name, typeName }) => [code(name), typeLink(typeName)]);
  return `## Other topics of the lab

Other programs of the lab use these topics. The middleware neither reads nor writes them.

${markdownTable(['Topic', 'Type'], rows)}`;
}

/** @param {IdlType} type */
function typeSection(type) {
  const table = type.kind === 'enum' ? enumTable(type) : fieldTable(type);
  return `### ${type.name}\n\n${prose(type.doc)}\n\n${table}`;
}

/** @param {EnumType} type */
function enumTable({ values }) {
  const rows = values.map(({ name, doc }, value) => [String(value), code(name), prose(doc)]);
  return markdownTable(['Value', 'Name', 'Meaning'], rows);
}

/** @param {StructType} type */
function fieldTable({ fields }) {
  const rows = fields.map(({ name, doc, key, sequence, bound, element }) => [
    code(name) + (key ? ' (key)' : ''),
    sequence
      ? `sequence of ${bound === undefined ? '' : `at most ${bound} `}${elementName(element)}`
      : elementName(element),
    prose(doc),
  ]);
  return markdownTable(['Field', 'Type', 'Meaning'], rows);
}

/** @param {ElementType} element */
function elementName(element) {
  switch (element.kind) {
    case 'primitive':
      return idlNames.get(element.name) ?? element.name;
    case 'string':
      return 'string';
    default:
      return typeLink(element.name);
  }
}

/** @param {string} name */
function typeLink(name) {
  return `[${name}](#${name.toLowerCase()})`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {readonly string[]} lines of a doc comment */
function prose(lines) {
  return lines.join(' ');
}
