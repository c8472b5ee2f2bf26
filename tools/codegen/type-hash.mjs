import { createHash } from 'node:crypto';

/**
 * A field as `type_description_interfaces/msg/Field` has it, without its default value.
 * @typedef {object} FieldDescription
 * @property {string} name
 * @property {number} typeId number in `type_description_interfaces/msg/FieldType`
 * @property {number} [capacity] length of an array, bound of a sequence
 * @property {number} [stringCapacity] bound of a string
 * @property {string} [nested] name of the type of the field, when it is a message
 *
 * @typedef {object} TypeDescription
 * @property {string} typeName for example `std_msgs/msg/Header`
 * @property {FieldDescription[]} fields in the order of the bytes
 */

/**
 * The hash by which ROS 2 distinguishes versions of a type (REP-2011, REP-2016): the SHA-256 of a JSON
 * text of the description of the type and of all types in it.
 * @param {string} typeName
 * @param {ReadonlyMap<string, TypeDescription>} types this type, and those in it, by their names
 * @returns {string} `RIHS01_` and 64 hex digits
 * @throws {Error} when a type is missing.
 */
export function typeHash(typeName, types) {
  const [own, ...others] = closure(typeName, types);
  others.sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  const description = {
    type_description: individual(own),
    referenced_type_descriptions: others.map(individual),
  };
  return `RIHS01_${createHash('sha256').update(jsonText(description)).digest('hex')}`;
}

/**
 * The type and all types in it, itself first, each once.
 * @param {string} typeName
 * @param {ReadonlyMap<string, TypeDescription>} types
 * @returns {[TypeDescription, ...TypeDescription[]]}
 */
function closure(typeName, types) {
  const own = types.get(typeName);
  if (own === undefined) throw new Error(`The type ${typeName} is not described.`);
  /** @type {Map<string, TypeDescription>} */
  const others = new Map();
  for (const { nested } of own.fields) {
    if (nested === undefined) continue;
    for (const type of closure(nested, types)) others.set(type.typeName, type);
  }
  return [own, ...others.values()];
}

/** @param {TypeDescription} type */
function individual({ typeName, fields }) {
  return {
    type_name: typeName,
    fields: fields.map(({ name, typeId, capacity = 0, stringCapacity = 0, nested = '' }) => ({
      name,
      type: {
        type_id: typeId,
        capacity,
        string_capacity: stringCapacity,
        nested_type_name: nested,
      },
    })),
  };
}

/**
 * JSON with a blank after each comma and colon, which is what is hashed.
 * @param {unknown} value
 * @returns {string}
 */
function jsonText(value) {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `"${key}": ${jsonText(member)}`);
  return `{${members.join(', ')}}`;
}
