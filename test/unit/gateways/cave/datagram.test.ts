import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeDatagram } from '../../../../src/gateways/cave/protocol/datagram.js';
import { labElement } from '../../../../src/gateways/cave/protocol/elements.js';
import { VehicleMessageSchema } from '../../../../src/gateways/generated/cave_pb.js';
import { Refusal } from '../../../../src/gateways/refusal.js';
import { datagram, vehicle, vehicleBytes } from './messages.js';

describe('a datagram', () => {
  it('with a vehicle has its fields, pose and bytes', () => {
    const half = Math.SQRT1_2;
    const turnedLeft = {
      ...vehicle(3, -7, 1.5, 4),
      ChassisRot: { e0: half, e1: 0, e2: 0, e3: half },
    };
    const bytes = toBinary(VehicleMessageSchema, create(VehicleMessageSchema, turnedLeft));
    expect(decodeDatagram(Buffer.of(2, ...bytes))).toEqual({
      kind: 'element',
      element: {
        type: { field: 2 },
        connectionNumber: 3,
        idNumber: -7,
        chTime: 1.5,
        bytes: expect.objectContaining({ length: bytes.length }) as unknown,
        vehicle: {
          pose: { x: 4, y: 0, yaw: expect.closeTo(Math.PI / 2, 12) as unknown },
          speed: 2,
        },
      },
    });
  });

  it('with a packet has its vehicles, and elements of further types unread', () => {
    // Field 9: an element with the common fields, and with a field 20 of its own.
    const header = [0x08, 1, 0x10, 3, 0x18, 5, 0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f];
    const further = [...header, 0xa2, 0x01, 2, 7, 7];
    const bytes = Buffer.concat([
      datagram.packet(3, vehicle(3, 1, 1)),
      Buffer.of(0x4a, further.length, ...further),
    ]);
    const packet = decodeDatagram(bytes);
    if (packet.kind !== 'packet') throw new Error(packet.kind);
    expect(
      packet.elements.map(({ type, idNumber, chTime }) => ({ type, idNumber, chTime })),
    ).toEqual([
      { type: { field: 2 }, idNumber: 1, chTime: 1 },
      { type: { field: 9 }, idNumber: 5, chTime: 1 },
    ]);
    expect([...(packet.elements[1]?.bytes ?? [])]).toEqual(further);
    const single = decodeDatagram(Buffer.of(40, ...further));
    expect(single).toMatchObject({ element: { type: { code: 40 }, connectionNumber: 3 } });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a code of the server', Buffer.of(9)],
    ['a vehicle without fields', Buffer.of(2)],
    ['a vehicle that is cut', datagram.vehicle(1, 1, 1).subarray(0, -1)],
    ['a time that is none', datagram.vehicle(1, 1, NaN)],
    ['a place that is none', datagram.vehicle(1, 1, 1, Infinity)],
    ['a place beyond all maps', datagram.vehicle(1, 1, 1, 2e7)],
    ['a part of another connection', datagram.packet(1, vehicle(2, 1, 1))],
    [
      'a packet with too many parts',
      datagram.packet(1, ...new Array<never>(513).fill(vehicle(1, 1, 1) as never)),
    ],
    ['a length of 4 GiB', Buffer.of(7, 0x12, 0xff, 0xff, 0xff, 0xff, 0x0f)],
    ['an element without a time', Buffer.of(40, 0x08, 1, 0x10, 3, 0x18, 5)],
    [
      'an element of 9000 bytes',
      Buffer.concat([
        Buffer.of(2),
        vehicleBytes(1, 1, 1),
        Buffer.of(0xa2, 0x01, 0xa8, 0x46),
        Buffer.alloc(9000),
      ]),
    ],
  ])('is refused: %s', (_, bytes) => {
    expect(() => decodeDatagram(bytes)).toThrow(Refusal);
  });

  it('is decoded or refused, whatever its bytes are', () => {
    const good = [
      datagram.vehicle(1, 2, 3),
      datagram.packet(1, vehicle(1, 1, 1)),
      datagram.dsrc(1, 'x'),
    ];
    const changes = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        changes,
        fc.nat({ max: 400 }),
        (bytes, edits, length) => {
          const broken = Buffer.from(bytes.subarray(0, length));
          for (const [at, value] of edits) if (at < broken.length) broken[at] = value;
          try {
            decodeDatagram(broken);
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
          }
        },
      ),
      { numRuns: 5000 },
    );
  });
});

it('a rotation that overflows is refused', () => {
  const message = { ...vehicle(1, 1, 1), ChassisRot: { e0: 1e200, e1: 1e200, e2: 1e200, e3: 1 } };
  const bytes = toBinary(VehicleMessageSchema, create(VehicleMessageSchema, message));
  expect(() => decodeDatagram(Buffer.of(2, ...bytes))).toThrow('out of range');
});

it('a vehicle of the lab is an element of connection -1 with four wheels around it', () => {
  const lab = labElement({
    vehicleId: 9,
    unixTime: 1_700_000_000.7,
    chTime: 12.5,
    wheelbase: 2,
    pose: { x: 10, y: 20, yaw: Math.PI / 2 },
    speed: 3,
  });
  const decoded = decodeDatagram(Buffer.of(2, ...lab.bytes));
  expect(decoded).toMatchObject({
    element: {
      connectionNumber: -1,
      idNumber: 9,
      chTime: 12.5,
      vehicle: {
        pose: { x: 10, y: 20, yaw: expect.closeTo(Math.PI / 2, 12) as unknown },
        speed: 3,
      },
    },
  });
});
