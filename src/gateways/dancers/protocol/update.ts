import { create, toBinary } from '@bufbuild/protobuf';

import { decodeMessage } from '../../decode-message.js';
import { FrameDecoder, frameHeaderBytes } from '../../frame-decoder.js';
import {
  DancersUpdate_MsgType as MsgType,
  DancersUpdateSchema,
} from '../../generated/dancers_pb.js';
import { Refusal } from '../../refusal.js';
import { inflate, mostInflatedBytes, toGzip } from './gzip.js';

/** A message of a coordinator, or the answer of a side. */
export interface Update {
  readonly type: 'begin' | 'end' | 'close';
  /** gzip of a message for the other side; empty without one. */
  readonly payload: Uint8Array;
}

const types = {
  begin: MsgType.BEGIN,
  end: MsgType.END,
  close: MsgType.CLOSE,
} as const satisfies Record<Update['type'], MsgType>;

/** gzip makes bytes that it cannot shorten longer by much less than this. */
const mostGzipOverhead = 64 * 1024;

/** Cuts a stream of a DANCERS socket into the contents of its frames. */
export function updateFrames(): FrameDecoder {
  return new FrameDecoder(mostInflatedBytes + mostGzipOverhead, 'big');
}

/**
 * A frame: its length (uint32, big endian), then gzip of a DancersUpdate. BEGIN without a payload
 * serialises to nothing, and nothing is not compressed: its frame is `00 00 00 00`.
 */
export function encodeUpdate({ type, payload }: Update): Uint8Array {
  const message = create(DancersUpdateSchema, { msgType: types[type], payload });
  const body = toGzip(toBinary(DancersUpdateSchema, message));
  const frame = new Uint8Array(frameHeaderBytes + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, frameHeaderBytes);
  return frame;
}

/**
 * The message in the content of a frame.
 * @throws Refusal for bytes that are no gzip of a DancersUpdate, for more than 64 MiB after inflating,
 *   and for a type that DANCERS does not have.
 */
export function decodeUpdate(content: Uint8Array): Update {
  const { msgType, payload } = decodeMessage(DancersUpdateSchema, inflate(content));
  const type = (Object.keys(types) as Update['type'][]).find((name) => types[name] === msgType);
  if (type === undefined) throw new Refusal(`a DancersUpdate has the unknown type ${msgType}`);
  return { type, payload };
}
