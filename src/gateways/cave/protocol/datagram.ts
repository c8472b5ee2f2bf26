import { DSRCMessageSchema, MessagePacketSchema } from '../../generated/cave_pb.js';
import { checkEnvelope, checkMessage } from '../../message-check.js';
import { Refusal } from '../../refusal.js';
import { codes, firstFurtherCode } from './codes.js';
import {
  decodeFurther,
  decodeVehicle,
  firstFurtherField,
  vehicleField,
  type Element,
} from './elements.js';

/** What a datagram of a client says. */
export type Datagram =
  | { readonly kind: 'element'; readonly element: Element }
  | {
      readonly kind: 'packet';
      readonly connectionNumber: number;
      readonly elements: readonly Element[];
      readonly dsrc: readonly Dsrc[];
    }
  | { readonly kind: 'dsrc'; readonly dsrc: Dsrc }
  | { readonly kind: 'disconnect' | 'reset' | 'heartbeat' };

/** A message between vehicles. */
export interface Dsrc {
  readonly connectionNumber: number;
  readonly bytes: Uint8Array;
}

/** Elements and messages between vehicles of one packet. */
const mostParts = 512;
const packetFields = { connectionNumber: 1, vehicles: vehicleField, dsrc: 3 } as const;

/**
 * Reads a datagram: a code, then the bytes of a message.
 * @throws Refusal for what no CAVE client may send.
 */
export function decodeDatagram(datagram: Uint8Array): Datagram {
  const code = datagram[0];
  const bytes = datagram.subarray(1);
  switch (code) {
    case undefined:
      throw new Refusal('a datagram is empty');
    case codes.vehicle:
      return { kind: 'element', element: decodeVehicle(bytes) };
    case codes.dsrc:
      return { kind: 'dsrc', dsrc: decodeDsrc(bytes) };
    case codes.packet:
      return decodePacket(bytes);
    case codes.disconnect:
      return { kind: 'disconnect' };
    case codes.reset:
      return { kind: 'reset' };
    case codes.nothing:
    case codes.heartbeat:
      return { kind: 'heartbeat' };
    default:
      if (code < firstFurtherCode) throw new Refusal(`clients send no message with code ${code}`);
      return { kind: 'element', element: decodeFurther({ code }, bytes) };
  }
}

function decodePacket(bytes: Uint8Array): Datagram {
  const elements: Element[] = [];
  const dsrc: Dsrc[] = [];
  let connectionNumber = 0;
  const fields = checkEnvelope(MessagePacketSchema, bytes);
  if (fields.length > mostParts) throw new Refusal(`a packet has more than ${mostParts} parts`);
  for (const { number, value, from, to } of fields) {
    const content = bytes.subarray(from, to);
    if (number === packetFields.connectionNumber) connectionNumber = value;
    else if (number === packetFields.vehicles) elements.push(decodeVehicle(content));
    else if (number === packetFields.dsrc) dsrc.push(decodeDsrc(content));
    else if (number >= firstFurtherField) elements.push(decodeFurther({ field: number }, content));
  }
  for (const part of [...elements, ...dsrc]) {
    if (part.connectionNumber !== connectionNumber) {
      throw new Refusal('a part of a packet has another connection number');
    }
  }
  return { kind: 'packet', connectionNumber, elements, dsrc };
}

/** The number of the vehicle is that of its connection. */
function decodeDsrc(bytes: Uint8Array): Dsrc {
  const fields = checkMessage(DSRCMessageSchema, bytes);
  const connectionNumber = fields.findLast(({ number }) => number === 3)?.value ?? 0;
  return { connectionNumber, bytes };
}

/** How many elements and messages between vehicles a datagram has; 1 at least. */
export function partsOf(datagram: Datagram): number {
  return datagram.kind === 'packet'
    ? Math.max(1, datagram.elements.length + datagram.dsrc.length)
    : 1;
}

/** The connection number that a datagram quotes; null for one that has none. */
export function quotedNumber(datagram: Datagram): number | null {
  switch (datagram.kind) {
    case 'element':
      return datagram.element.connectionNumber;
    case 'packet':
      return datagram.connectionNumber;
    case 'dsrc':
      return datagram.dsrc.connectionNumber;
    default:
      return null;
  }
}
