import { parseIDL } from '@foxglove/omgidl-parser';

import { docComments } from './doc-comments.mjs';

/** @typedef {import('./load-idl.mjs').IdlFile} IdlFile */

/**
 * @typedef {object} EnumType
 * @property {'enum'} kind
 * @property {string} name
 * @property {string} idlFile
 * @property {string[]} doc
 * @property {{ name: string, doc: string[] }[]} values their number is their place
 *
 * @typedef {object} StructType
 * @property {'struct'} kind
 * @property {string} name
 * @property {string} idlFile
 * @property {string[]} doc
 * @property {boolean} topic whether topics of this type exist
 * @property {boolean} keyed whether it has key fields
 * @property {Field[]} fields
 * @property {number} minSize fewest octets of one value, alignment left out
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string[]} doc
 * @property {boolean} key whether it is part of the DDS key
 * @property {boolean} sequence
 * @property {number} [bound] most elements of the sequence
 * @property {ElementType} element the type of the field, or of the elements of its sequence
 *
 * @typedef {{ kind: 'primitive', name: string, size: number } | { kind: 'string' } | EnumType | StructType} ElementType
 *
 * @typedef {EnumType | StructType} IdlType
 */

/**
 * What the parser gives, as far as it is used here.
 * @typedef {object} ParsedType
 * @property {string} name
 * @property {string} aggregatedKind
 * @property {ParsedMember[]} definitions
 * @property {Record<string, unknown>} [annotations]
 *
 * @typedef {object} ParsedMember
 * @property {string} name
 * @property {string} type
 * @property {boolean} [isComplex]
 * @property {boolean} [isArray]
 * @property {string} [enumType]
 * @property {unknown} [value]
 * @property {unknown} [arrayLengths]
 * @property {number} [arrayUpperBound]
 * @property {number} [upperBound]
 * @property {Record<string, unknown>} [annotations]
 */

/** The size in octets of every primitive type, by the parser's name of it. */
const primitiveSizes = new Map([
  ['bool', 1],
  ['int8', 1],
  ['uint8', 1],
  ['int16', 2],
  ['uint16', 2],
  ['int32', 4],
  ['uint32', 4],
  ['float32', 4],
  ['int64', 8],
  ['uint64', 8],
  ['float64', 8],
]);

/**
 * Resolves the types of the IDL files.
 * @param {IdlFile[]} files in the order of their includes
 * @returns {IdlType[]} in the order of their declaration
 * @throws {Error} when a file uses what the codecs do not support.
 */
export function buildModel(files) {
  /** @type {Map<string, IdlType>} */
  const types = new Map();
  const idl = files.map((file) => file.text).join('\n');
  const comments = docComments(idl);
  const parsed = /** @type {ParsedType[]} */ (parseIDL(idl));
  for (const type of parsed) {
    const idlFile = files.find((file) => declares(file.text, type.name))?.name;
    if (idlFile === undefined || types.has(type.name)) {
      throw new Error(`"${type.name}" is not one struct or enum at global scope.`);
    }
    const head = { name: type.name, idlFile, doc: comments.get(type.name) ?? [] };
    types.set(
      type.name,
      type.aggregatedKind === 'struct'
        ? { ...head, ...structBody(type, types, comments) }
        : { ...head, ...enumBody(type, comments) },
    );
  }
  return [...types.values()];
}

/** @param {string} text @param {string} name */
function declares(text, name) {
  return new RegExp(`\\b(struct|enum)\\s+${name}\\s*\\{`).test(text);
}

/**
 * @param {ParsedType} type
 * @param {Map<string, string[]>} comments
 * @returns {Pick<EnumType, 'kind' | 'values'>}
 */
function enumBody(type, comments) {
  const values = type.definitions.map(({ name, value }, place) => {
    if (value !== place) throw new Error(`${type.name}: the values must be 0, 1, 2 and so on.`);
    return { name, doc: comments.get(`${type.name}.${name}`) ?? [] };
  });
  return { kind: 'enum', values };
}

/**
 * @param {ParsedType} type
 * @param {Map<string, IdlType>} types
 * @param {Map<string, string[]>} comments
 * @returns {Pick<StructType, 'kind' | 'topic' | 'keyed' | 'fields' | 'minSize'>}
 */
function structBody(type, types, comments) {
  const annotations = type.annotations ?? {};
  if (!('final' in annotations)) throw new Error(`${type.name} must be @final.`);
  if (type.definitions.length === 0) throw new Error(`${type.name} has no members.`);
  const fields = type.definitions.map((member) => ({
    name: member.name,
    doc: comments.get(`${type.name}.${member.name}`) ?? [],
    key: 'key' in (member.annotations ?? {}),
    sequence: member.isArray === true,
    ...(member.arrayUpperBound === undefined ? {} : { bound: member.arrayUpperBound }),
    element: elementType(type.name, member, types),
  }));
  return {
    kind: 'struct',
    topic: !('nested' in annotations),
    keyed: fields.some(({ key }) => key),
    fields,
    minSize: fields.reduce((sum, field) => sum + (field.sequence ? 4 : minSize(field.element)), 0),
  };
}

/**
 * @param {string} owner
 * @param {ParsedMember} member
 * @param {Map<string, IdlType>} types
 * @returns {ElementType}
 */
function elementType(owner, member, types) {
  const bounded = member.upperBound !== undefined;
  if (member.arrayLengths !== undefined || bounded || 'optional' in (member.annotations ?? {})) {
    throw new Error(
      `${owner}.${member.name}: arrays, bounds of strings and @optional are not supported.`,
    );
  }
  const reference = types.get(member.enumType ?? member.type);
  if (reference !== undefined) return reference;
  if (member.type === 'string') return { kind: 'string' };
  const size = primitiveSizes.get(member.type);
  if (size !== undefined) return { kind: 'primitive', name: member.type, size };
  throw new Error(`${owner}.${member.name}: the type ${member.type} is not supported.`);
}

/**
 * The fewest octets that a value takes, alignment left out.
 * @param {ElementType} type
 */
export function minSize(type) {
  switch (type.kind) {
    case 'struct':
      return type.minSize;
    case 'enum':
      return 4;
    case 'string':
      return 5; // the length and the NUL
    case 'primitive':
      return type.size;
  }
}
