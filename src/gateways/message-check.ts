import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

import { Refusal } from './refusal.js';

/** Types on the wire. Groups (3, 4) are refused: they are not in use, and nest without a bound. */
const wire = { varint: 0, bits64: 1, bytes: 2, bits32: 5 } as const;

interface FieldRule {
  readonly wireType: number;
  /** A list of numbers, which may also come as one field of bytes. */
  readonly isPackable: boolean;
  readonly isDouble: boolean;
  readonly nested: MessageRule | undefined;
}

/** A schema as a check needs it. */
interface MessageRule {
  readonly name: string;
  /** By field number; sparse. */
  readonly fields: readonly (FieldRule | undefined)[];
  /** The bits of the numbers of the required fields, 1 to 31. */
  readonly required: number;
}

/** The fields of a message that was checked, in the order of the bytes. */
export interface CheckedField {
  readonly number: number;
  /** Of a varint as int32, and of a double; 0 for other fields. */
  readonly value: number;
  /** Of a string, bytes or message: its content. */
  readonly from: number;
  readonly to: number;
}

/** Most messages within a message, and most values in all of them: a short gzip can hold millions. */
const mostMessages = 65_536;
const mostValues = 4_194_304;

const rules = new WeakMap<DescMessage, MessageRule>();

function ruleOf(schema: DescMessage): MessageRule {
  const known = rules.get(schema);
  if (known !== undefined) return known;
  const fields: (FieldRule | undefined)[] = [];
  for (const field of schema.fields) fields[field.number] = fieldRule(field);
  const required = schema.fields
    .filter(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED)
    .reduce((bits, { number }) => bits | (1 << number), 0);
  const rule = { name: schema.name, fields, required };
  rules.set(schema, rule);
  return rule;
}

function fieldRule(field: DescField): FieldRule {
  return {
    wireType: wireTypeOf(field),
    isPackable: field.fieldKind === 'list' && field.listKind !== 'message',
    isDouble: field.scalar === ScalarType.DOUBLE,
    nested: field.message && ruleOf(field.message),
  };
}

function wireTypeOf({ scalar, enum: isEnum }: DescField): number {
  if (isEnum !== undefined) return wire.varint;
  switch (scalar) {
    case undefined:
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return wire.bytes;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return wire.bits64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return wire.bits32;
    default:
      return wire.varint;
  }
}

/**
 * Checks the bytes of a client against a schema: types on the wire, lengths, required fields, and
 * that each double is finite. Counts the messages and values, but leaves the content of a packed list of numbers
 * to the decoder. Allocates only the list of fields, so that a flood stays cheap.
 * @returns all fields, also those that the schema does not have.
 * @throws Refusal for bytes that are no message of this schema.
 */
export function checkMessage(schema: DescMessage, bytes: Uint8Array): CheckedField[] {
  return checked(schema, bytes, true);
}

/**
 * Checks a message as {@link checkMessage} does, and allocates nothing for its fields.
 * @throws Refusal for bytes that are no message of this schema.
 */
export function verifyMessage(schema: DescMessage, bytes: Uint8Array): void {
  checkRange(ruleOf(schema), new Cursor(bytes), bytes.length, true);
}

/**
 * Checks a message as {@link checkMessage} does, but not the messages within it: the caller checks each.
 * @throws Refusal for bytes that are no message of this schema.
 */
export function checkEnvelope(schema: DescMessage, bytes: Uint8Array): CheckedField[] {
  return checked(schema, bytes, false);
}

function checked(schema: DescMessage, bytes: Uint8Array, within: boolean): CheckedField[] {
  const fields: CheckedField[] = [];
  checkRange(ruleOf(schema), new Cursor(bytes), bytes.length, within, fields);
  return fields;
}

function checkRange(
  rule: MessageRule,
  cursor: Cursor,
  end: number,
  within: boolean,
  fields?: CheckedField[],
): void {
  /** The bits of the fields from 1 to 31 that have come; the schemas require no others. */
  let seen = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    const number = tag >>> 3;
    const wireType = tag & 7;
    if (number === 0) throw new Refusal(`a ${rule.name} has a field 0`);
    const field = rule.fields[number];
    if (field !== undefined && !isOfType(field, wireType)) {
      throw new Refusal(`field ${number} of a ${rule.name} has another type`);
    }
    if (number < 32) seen |= 1 << number;
    let value = 0;
    let from = cursor.at;
    switch (wireType) {
      case wire.varint:
        value = cursor.varint(end) | 0;
        break;
      case wire.bits64:
        value = field?.isDouble === true ? cursor.double(end) : 0;
        cursor.skip(field?.isDouble === true ? 0 : 8, end);
        break;
      case wire.bits32:
        cursor.skip(4, end);
        break;
      case wire.bytes: {
        const length = cursor.varint(end);
        from = cursor.at;
        cursor.skip(length, end);
        if (field?.isPackable === true) cursor.countPacked(field.wireType, from, length);
        if (within && field?.nested !== undefined) {
          cursor.countMessage();
          cursor.at = from;
          checkRange(field.nested, cursor, from + length, within);
        }
        break;
      }
      default:
        throw new Refusal(`field ${number} of a ${rule.name} has a type that is not in use`);
    }
    cursor.countValues(1);
    if (!Number.isFinite(value)) throw new Refusal(`a number of a ${rule.name} is not finite`);
    fields?.push({ number, value, from, to: cursor.at });
  }
  const missing = rule.required & ~seen;
  if (missing !== 0) {
    throw new Refusal(`a ${rule.name} has no field ${31 - Math.clz32(missing)}`);
  }
}

function isOfType({ wireType: own, isPackable }: FieldRule, wireType: number): boolean {
  return wireType === own || (isPackable && wireType === wire.bytes);
}

/** Reads bytes up to bounds, and counts what they hold. */
class Cursor {
  at = 0;
  #messages = 0;
  #values = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The lower 32 bits of a varint, which has at most ten bytes. */
  varint(end: number): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) throw new Refusal('a number is cut off');
      const byte = this.#bytes[this.at++] ?? 0;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Refusal('a number has more than ten bytes');
  }

  double(end: number): number {
    const from = this.at;
    this.skip(8, end);
    return this.#view.getFloat64(from, true);
  }

  countMessage(): void {
    if (++this.#messages > mostMessages) {
      throw new Refusal(`it has more than ${mostMessages} messages within it`);
    }
  }

  /** The numbers of a packed list of this type. */
  countPacked(wireType: number, from: number, length: number): void {
    if (wireType === wire.bits64) this.countValues(length / 8);
    else if (wireType === wire.bits32) this.countValues(length / 4);
    else {
      let count = 0;
      // The last byte of a varint is below 0x80.
      for (let at = from; at < from + length; at++) if ((this.#bytes[at] ?? 0) < 0x80) count++;
      this.countValues(count);
    }
  }

  countValues(count: number): void {
    this.#values += count;
    if (this.#values > mostValues) throw new Refusal(`it has more than ${mostValues} values`);
  }

  skip(length: number, end: number): void {
    if (length > end - this.at) throw new Refusal('a field is cut off');
    this.at += length;
  }
}
