import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';

import {
  DSRCMessageSchema,
  MessagePacketSchema,
  VehicleMessageSchema,
  type VehicleMessage,
} from '../../../../src/gateways/generated/cave_pb.js';

const turned = { e0: 1, e1: 0, e2: 0, e3: 0 };

type PlainVehicle = Exclude<MessageInitShape<typeof VehicleMessageSchema>, VehicleMessage>;

/** A vehicle of a client that stands at (x, 0). */
export function vehicle(
  connectionNumber: number,
  idNumber: number,
  chTime: number,
  x = 0,
): PlainVehicle {
  const at = { x, y: 0, z: 0 };
  return {
    timestamp: 1,
    connectionNumber,
    idNumber,
    chTime,
    speed: 2,
    ChassisCOM: at,
    FrontRightWheelCOM: at,
    FrontLeftWheelCOM: at,
    BackRightWheelCOM: at,
    BackLeftWheelCOM: at,
    ChassisRot: turned,
    FrontRightWheelRot: turned,
    FrontLeftWheelRot: turned,
    BackRightWheelRot: turned,
    BackLeftWheelRot: turned,
  };
}

/** The message alone. */
export function vehicleBytes(...args: Parameters<typeof vehicle>): Uint8Array {
  return toBinary(VehicleMessageSchema, create(VehicleMessageSchema, vehicle(...args)));
}

/** Datagrams with one vehicle, with packets, and with a message between vehicles. */
export const datagram = {
  vehicle: (...args: Parameters<typeof vehicle>) => withCode(2, vehicleBytes(...args)),
  packet(connectionNumber: number, ...vehicleMessages: ReturnType<typeof vehicle>[]) {
    const packet = create(MessagePacketSchema, { connectionNumber, vehicleMessages });
    return withCode(7, toBinary(MessagePacketSchema, packet));
  },
  /** A packet that also has messages between vehicles. */
  packetWithDsrc(
    connectionNumber: number,
    messages: number,
    ...vehicleMessages: ReturnType<typeof vehicle>[]
  ) {
    const DSRCMessages = new Array(messages).fill(dsrcMessage(connectionNumber, 'x'));
    const packet = create(MessagePacketSchema, { connectionNumber, vehicleMessages, DSRCMessages });
    return withCode(7, toBinary(MessagePacketSchema, packet));
  },
  dsrc: (connectionNumber: number, text: string) =>
    withCode(6, toBinary(DSRCMessageSchema, dsrcMessage(connectionNumber, text))),
};

function dsrcMessage(connectionNumber: number, text: string) {
  return create(DSRCMessageSchema, {
    timestamp: 1,
    chTime: 1,
    idNumber: connectionNumber,
    vehiclePos: { x: 0, y: 0, z: 0 },
    buffer: Buffer.from(text),
  });
}

function withCode(code: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(code), bytes]);
}
