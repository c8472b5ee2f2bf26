// Stands in for RTI's Cloud Discovery Service: participants announce themselves here, and each
// learns of the others. Usage: node announcement-relay.mjs PORT; writes "ready".

import { createSocket } from 'node:dgram';
import process from 'node:process';

const headerBytes = 20;
const data = 0x15;
const participantWriter = '000100c2';
const sentinel = 0x0001;
const metatrafficUnicastLocator = 0x0032;
const udpv4 = 1;

/**
 * Where the participant of an announcement is found (OMG DDSI-RTPS 2.5, sections 9.4 and 9.6.3);
 * little endian only, and without inline QoS, as Cyclone DDS and RTI Connext write it on a PC.
 * @param {Buffer} message
 */
function announcedAddresses(message) {
  const found = [];
  let at = headerBytes;
  while (message.toString('latin1', 0, 4) === 'RTPS' && at + 4 <= message.length) {
    const bytes = message.readUInt16LE(at + 2) || message.length - at - 4;
    const writer = message.toString('hex', at + 12, at + 16);
    if (message[at] === data && writer === participantWriter) {
      // Behind the entity ids, the sequence number and the head of the parameter list.
      for (let parameter = at + 28; parameter + 4 <= at + 4 + bytes;) {
        const id = message.readUInt16LE(parameter);
        if (id === sentinel) break;
        if (id === metatrafficUnicastLocator && message.readInt32LE(parameter + 4) === udpv4) {
          const port = message.readUInt32LE(parameter + 8);
          found.push({ port, address: message.subarray(parameter + 24, parameter + 28).join('.') });
        }
        parameter += 4 + message.readUInt16LE(parameter + 2);
      }
    }
    at += 4 + bytes;
  }
  return found;
}

/**
 * The newest announcement of each participant, by GUID prefix.
 * @type {Map<string, { message: Buffer, addresses: { port: number, address: string }[] }>}
 */
const known = new Map();
const socket = createSocket('udp4');
socket.on('message', (message) => {
  const addresses = announcedAddresses(message);
  if (addresses.length === 0) return;
  const guidPrefix = message.toString('hex', 8, 20);
  const isNew = !known.has(guidPrefix);
  known.set(guidPrefix, { message, addresses });
  for (const [other, { message: theirs, addresses: destinations }] of known) {
    if (other === guidPrefix) continue;
    for (const { port, address } of destinations) socket.send(message, port, address);
    if (!isNew) continue;
    for (const { port, address } of addresses) socket.send(theirs, port, address);
  }
});
socket.bind(Number(process.argv[2]), () => process.stdout.write('ready\n'));
