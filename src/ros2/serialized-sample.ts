import { HlcError } from '../errors/index.js';
import type { TopicSpec } from '../ports/index.js';
import { CdrError, topics } from '../messages/index.js';

const codecs = new Map(Object.values(topics).map(({ codec }) => [codec.typeName, codec]));

/** In the last octet of the header: how many octets at the end are padding. */
const optionsOctet = 3;

/**
 * A sample as it is given to the rmw, which takes bytes as they are, and pads them to a multiple of
 * four. So it is checked here, and the padding stated in the header (OMG DDS-XTypes 1.3, section
 * 7.6.3.1.2), so that a reader can restore the same bytes.
 * @param bytes CDR with its header
 * @throws HlcError `HLC_DDS_WRITE` when they are no sample of the topic's type.
 */
export function serializedSample({ name, typeName }: TopicSpec, bytes: Uint8Array): Buffer {
  try {
    codecs.get(typeName)?.decode(bytes);
  } catch (cause) {
    if (!(cause instanceof CdrError)) throw cause;
    throw new HlcError('HLC_DDS_WRITE', { topic: name, cause: cause.message }, { cause });
  }
  const padding = -bytes.length & 3;
  if (padding === 0) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const padded = Buffer.alloc(bytes.length + padding);
  padded.set(bytes);
  padded[optionsOctet] = padding;
  return padded;
}
