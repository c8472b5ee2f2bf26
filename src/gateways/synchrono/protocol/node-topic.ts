import { CdrReader, CdrWriter, type Codec, type Topic } from '../../../messages/index.js';
import { keyText } from './schema.js';

/** Names of participants and topics begin with it. */
const prefix = '/syn/node/';
const writer = new CdrWriter();

/** The type of all topics; its value is the FlatBuffer (`idl/synchrono/SynDDSMessage.idl`). */
const messageCodec: Codec<Uint8Array> = {
  typeName: 'SynDDSMessage',
  keyed: false,
  decode(bytes) {
    const reader = new CdrReader(bytes);
    reader.uint32();
    const data = reader.octets();
    reader.end();
    return data;
  },
  encode: (data) => write(data).finish(),
  encodeShared: (data) => write(data).finishShared(),
  zero: () => new Uint8Array(),
};

function write(data: Uint8Array): CdrWriter {
  writer.begin();
  writer.uint32(0, 'rank');
  writer.octets(data, 'data');
  return writer;
}

/** The name of the participant and of the topic of a node. */
export function nodeName(node: number): string {
  return prefix + keyText({ node, agent: 0 });
}

/** The topic of a node. */
export function nodeTopic(node: number): Topic<Uint8Array> {
  return { name: nodeName(node), typeName: messageCodec.typeName, codec: messageCodec };
}

/** The node whose participant has this name; undefined: it is none. */
export function nodeOf(participantName: string | undefined): number | undefined {
  const [, digits] = /^\/syn\/node\/(0|[1-9]\d{0,8})\.0$/.exec(participantName ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * An original node may leave out the topic of a node whose name contains that of another: 11.0
 * contains 1.0.
 */
export function isMistakable(node: number, other: number): boolean {
  const [a, b] = [`${node}.0`, `${other}.0`];
  return a !== b && (a.includes(b) || b.includes(a));
}
