import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';

import { verifyMessage } from './message-check.js';
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
    verifyMessage(schema, bytes);
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (cause) {
    throw new Refusal(`the bytes are no ${schema.name}`, { cause });
  }
}
