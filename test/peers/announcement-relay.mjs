// Stands in for RTI's Cloud Discovery Service: participants announce themselves here, and each
// learns of the others. Usage: node announcement-relay.mjs PORT; writes "ready".

import { createSocket } from 'node:dgram';
import process from 'node:process';

const headerBytes = 20;
const data = 0x15;
const inlineQosFlag = 0x02;
const encapsulationBytes = 4;
const participantWriter = '000100c2';
const sentinel = 0x0001;
const metatrafficUnicastLocator = 0x0032;
const udpv4 = 1;

/**
 * The parameters of a list that begins at this place, and where it ends.
 * @param {Buffer} message @param {number} start
 */
function parameterList(message, start) {
  const parameters = [];
  let at = start;
  while (at + 4 <= message.length && message.readUInt16LE(at) !== sentinel) {
    const end = at + 4 + message.readUInt16LE(at + 2);
    parameters.push({ id: message.readUInt16LE(at), value: message.subarray(at + 4, end) });
    at = end;
  }
  return { parameters, end: at + 4 };
}

/**
 * Where the participant of an announcement is found (OMG DDSI-RTPS 2.5, sections 9.4 and 9.6.3);
 * little endian only, as Cyclone DDS and RTI Connext write it on a PC.
 * @param {Buffer} message
 */
function announcedAddresses(message) {
  const found = [];
  let at = headerBytes;
  while (message.toString('latin1', 0, 4) === 'RTPS' && at + 4 <= message.length) {
    const bytes = message.readUInt16LE(at + 2) || message.length - at - 4;
    if (message[at] === data && message.toString('hex', at + 12, at + 16) === participantWriter) {
      // Behind the entity ids and the sequence number.
      const content = at + 24;
      const hasInlineQos = ((message[at + 1] ?? 0) & inlineQosFlag) !== 0;
      const list = hasInlineQos ? parameterList(message, content).end : content;
      for (const { id, value } of parameterList(message, list + encapsulationBytes).parameters) {
        if (id !== metatrafficUnicastLocator || value.readInt32LE(0) !== udpv4) continue;
        found.push({ port: value.readUInt32LE(4), address: value.subarray(20, 24).join('.') });
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
