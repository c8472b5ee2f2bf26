import { rosFieldName, rosTypeName } from './ros-names.mjs';

/** @typedef {import('./model.mjs').StructType} StructType */
/** @typedef {import('./model.mjs').ElementType} ElementType */
/** @typedef {import('./type-hash.mjs').TypeDescription} TypeDescription */
/** @typedef {import('./type-hash.mjs').FieldDescription} FieldDescription */

/**
 * A type in `.msg` files, and its number in `type_description_interfaces/msg/FieldType`.
 * @typedef {{ msg: string, idl: string, typeId: number }} RosPrimitive
 */

/** By the parser's name of a primitive type. @type {ReadonlyMap<string, RosPrimitive>} */
const primitives = new Map([
  ['bool', { msg: 'bool', idl: 'boolean', typeId: 15 }],
  ['int8', { msg: 'int8', idl: 'int8', typeId: 2 }],
  ['uint8', { msg: 'uint8', idl: 'octet', typeId: 3 }],
  ['int16', { msg: 'int16', idl: 'short', typeId: 4 }],
  ['uint16', { msg: 'uint16', idl: 'unsigned short', typeId: 5 }],
  ['int32', { msg: 'int32', idl: 'long', typeId: 6 }],
  ['uint32', { msg: 'uint32', idl: 'unsigned long', typeId: 7 }],
  ['int64', { msg: 'int64', idl: 'long long', typeId: 8 }],
  ['uint64', { msg: 'uint64', idl: 'unsigned long long', typeId: 9 }],
  ['float32', { msg: 'float32', idl: 'float', typeId: 10 }],
  ['float64', { msg: 'float64', idl: 'double', typeId: 11 }],
]);
/** ROS 2 has no enumerations; on the wire one is four octets. */
const enumeration = { msg: 'uint32', idl: 'unsigned long', typeId: 7 };
const text = { msg: 'string', idl: 'string', typeId: 17 };
const nestedTypeId = 1;
const boundedSequence = 96;
const unboundedSequence = 144;

/**
 * The ROS 2 type that has the bytes of this one; undefined for a struct.
 * @param {ElementType} type
 * @returns {RosPrimitive | undefined}
 */
export function rosPrimitive(type) {
  if (type.kind === 'struct') return undefined;
  if (type.kind === 'enum') return enumeration;
  if (type.kind === 'string') return text;
  const found = primitives.get(type.name);
  if (found === undefined) throw new Error(`ROS 2 has no type for ${type.name}.`);
  return found;
}

/**
 * The description that the type hash is made of.
 * @param {StructType} type
 * @returns {TypeDescription}
 */
export function describeType(type) {
  return { typeName: rosTypeName(type.name), fields: type.fields.map(describeField) };
}

/**
 * @param {import('./model.mjs').Field} field
 * @returns {FieldDescription}
 */
function describeField({ name, element, sequence, bound }) {
  const typeId = rosPrimitive(element)?.typeId ?? nestedTypeId;
  const sequenceId = bound === undefined ? unboundedSequence : boundedSequence;
  return {
    name: rosFieldName(name),
    typeId: sequence ? typeId + sequenceId : typeId,
    ...(bound === undefined ? {} : { capacity: bound }),
    ...(element.kind === 'struct' ? { nested: rosTypeName(element.name) } : {}),
  };
}
