import { fromBinary, ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { MessageShape } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

import { Refusal } from './refusal.js';

/**
 * Decodes the bytes of a client. Fields that the schema does not have are skipped.
 * @throws Refusal for bytes that are no message of this schema, also for a field of another type.
 */
export function decodeMessage<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
): MessageShape<Desc> {
  try {
    checkWireTypes(schema, bytes);
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (cause) {
    throw new Refusal(`the bytes are no ${schema.name}`, { cause });
  }
}

/** The runtime does not compare the wire type of a field with its schema. */
function checkWireTypes(schema: DescMessage, bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = schema.fields.find((one) => one.number === number);
    // Groups are not in use, and nest without a bound.
    if (wireType === WireType.StartGroup || wireType === WireType.EndGroup) {
      throw new RangeError(`group ${number}`);
    }
    if (field === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    if (wireType !== wireTypeOf(field)) throw new RangeError(`type of field ${number}`);
    if (field.message === undefined) reader.skip(wireType, number);
    else checkWireTypes(field.message, reader.bytes());
  }
}

/** Repeated numbers are not in use. */
function wireTypeOf({ scalar, enum: isEnum }: DescField): WireType {
  if (isEnum !== undefined) return WireType.Varint;
  switch (scalar) {
    case undefined:
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
