import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeControl } from '../../../../src/gateways/carla/protocol/control.js';
import { encodeFrame } from '../../../../src/gateways/carla/protocol/frames.js';
import { FrameDecoder } from '../../../../src/gateways/frame-decoder.js';
import { encodeMeasurements } from '../../../../src/gateways/carla/protocol/measurements.js';
import { encodeImage, encodeScan } from '../../../../src/gateways/carla/protocol/sensor-frames.js';
import {
  type CameraSettings,
  type LidarSettings,
} from '../../../../src/gateways/carla/protocol/settings.js';
import { carlaYaw } from '../../../../src/gateways/carla/protocol/transforms.js';
import {
  decodeEpisodeStart,
  decodeRequestNewEpisode,
} from '../../../../src/gateways/carla/protocol/world-messages.js';
import { ControlSchema, MeasurementsSchema } from '../../../../src/gateways/generated/carla_pb.js';
import { Refusal } from '../../../../src/gateways/refusal.js';
import { VehicleStateCodec, type VehicleState } from '../../../../src/messages/index.js';

const withHead = (length: number, ...bytes: number[]) => {
  const frame = new Uint8Array(4 + bytes.length);
  new DataView(frame.buffer).setUint32(0, length, true);
  frame.set(bytes, 4);
  return frame;
};

const control = (fields: object) => toBinary(ControlSchema, create(ControlSchema, fields));

describe('frames', () => {
  it('are the same wherever the stream is split', () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
    fc.assert(
      fc.property(contents, cuts, (frames, places) => {
        const stream = Buffer.concat(frames.map((content) => encodeFrame(content)));
        const ends = [...new Set([0, ...places, stream.length])]
          .filter((at) => at <= stream.length)
          .sort((a, b) => a - b);
        const decoder = new FrameDecoder(40);
        const decoded = ends.flatMap((end, i) =>
          [...decoder.push(stream.subarray(end, ends[i + 1]))].map((frame) => [...frame]),
        );
        expect(decoded).toEqual(frames.map((content) => [...content]));
        expect(decoder.inFrame).toBe(false);
      }),
    );
  });

  it('are refused by their length alone', () => {
    for (const length of [41, 0x7fff_ffff, 0xffff_ffff]) {
      expect(() => [...new FrameDecoder(40).push(withHead(length))]).toThrow(Refusal);
    }
    const decoder = new FrameDecoder(40);
    expect([...decoder.push(withHead(40, 1, 2))]).toEqual([]);
    expect(decoder.inFrame).toBe(true);
  });
});

describe('a Control', () => {
  it.each([
    [
      { steer: -2, throttle: 7 },
      { motorThrottle: 1, steeringServo: 1 },
    ],
    [
      { throttle: 0.5, reverse: true },
      { motorThrottle: -0.5, steeringServo: 0 },
    ],
    [
      { throttle: 0.5, brake: 0.1 },
      { motorThrottle: 0, steeringServo: 0 },
    ],
    [
      { throttle: 0.5, handBrake: true, steer: 0.5 },
      { motorThrottle: 0, steeringServo: -0.5 },
    ],
    [{ throttle: -1 }, { motorThrottle: 0, steeringServo: 0 }],
  ])('%j becomes %j', (fields, actuation) => {
    expect(decodeControl(control(fields))).toEqual(actuation);
  });

  it.each(['steer', 'throttle', 'brake'])('is refused where %s is not finite', (field) => {
    for (const value of [NaN, Infinity, -Infinity]) {
      expect(() => decodeControl(control({ [field]: value }))).toThrow(`${field} of a Control`);
    }
  });

  it('may have fields that do not exist', () => {
    const bytes = Uint8Array.from([...control({ throttle: 0.25 }), 0x50, 0x07, 0x5a, 0x01, 0xff]);
    expect(decodeControl(bytes).motorThrottle).toBe(0.25);
  });

  it.each([
    ['cut', [0x0d, 0, 0]],
    ['a varint for a float', [0x08, 0x01]],
    ['groups in groups', new Array<number>(10_000).fill(0x0b)],
    ['field 0', [0x00, 0x00]],
  ])('is refused: %s', (_, bytes) => {
    expect(() => decodeControl(Uint8Array.from(bytes))).toThrow(Refusal);
  });
});

it('bytes are decoded or refused, whatever they are', () => {
  const decoders = [decodeControl, decodeEpisodeStart, decodeRequestNewEpisode];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(...decoders), (bytes, decode) => {
      try {
        decode(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: 5000 },
  );
});

describe('measurements', () => {
  const stateOf = (vehicle_id: number, fields: Partial<VehicleState>): VehicleState => ({
    ...VehicleStateCodec.zero(),
    vehicle_id,
    ...fields,
  });

  it('have the axes and units of CARLA', () => {
    const frame = encodeMeasurements({
      frameNumber: 7,
      platformMs: 2 ** 32 + 5.7,
      gameMs: 350,
      player: stateOf(1, {
        pose: { x: 1, y: 2, yaw: Math.PI / 2 },
        speed: 1.5,
        imu_acceleration_forward: 3,
      }),
      others: [stateOf(4, { pose: { x: -1, y: -2, yaw: 0 }, speed: -0.5 })],
      size: { length: 4, width: 2, height: 1 },
    });
    const message = fromBinary(MeasurementsSchema, frame.subarray(4));
    expect(message).toMatchObject({
      frameNumber: 7n,
      platformTimestamp: 5,
      gameTimestamp: 350,
      playerMeasurements: {
        transform: { location: { x: 1, y: -2, z: 0 }, rotation: { yaw: -90 } },
        forwardSpeed: 1.5,
        boundingBox: { extent: { x: 2, y: 1, z: 0.5 } },
      },
      nonPlayerAgents: [
        {
          id: 4,
          agent: {
            case: 'vehicle',
            value: { transform: { location: { x: -1, y: 2 } }, forwardSpeed: -0.5 },
          },
        },
      ],
    });
    const acceleration = message.playerMeasurements?.acceleration;
    expect(acceleration?.x).toBeCloseTo(0);
    expect(acceleration?.y).toBeCloseTo(-3);
  });

  it('have headings above -180 and at most 180 degrees', () => {
    expect([Math.PI, -Math.PI, 0, 3 * Math.PI, 7].map(carlaYaw)).toEqual([
      180,
      180,
      0,
      180,
      expect.closeTo(-41.07, 2),
    ]);
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (yaw) => {
        const turned = carlaYaw(yaw);
        expect(turned).toBeGreaterThan(-180);
        expect(turned).toBeLessThanOrEqual(180);
      }),
    );
  });
});

describe('sensor frames', () => {
  const pose = { x: 0, y: 0, z: 0, pitch: 0, yaw: 0, roll: 0 };

  it('of a camera have the header of CARLA', () => {
    const camera: CameraSettings = {
      kind: 'camera',
      id: 3,
      name: 'c',
      pose,
      image: 'Depth',
      width: 2,
      height: 1,
      fov: 90,
    };
    const frame = Buffer.from(encodeImage(camera, 9, Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8])));
    expect(frame.readUInt32LE(0)).toBe(frame.length - 4);
    expect(frame.readUInt32LE(4)).toBe(3);
    expect(frame.readBigUInt64LE(8)).toBe(9n);
    expect([16, 20, 24].map((at) => frame.readUInt32LE(at))).toEqual([2, 1, 2]);
    expect(frame.readFloatLE(28)).toBe(90);
    expect([...frame.subarray(32)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('of a lidar have the counts of the channels before the points', () => {
    const lidar: LidarSettings = {
      kind: 'lidar',
      id: 4,
      name: 'l',
      pose,
      channels: 2,
      range: 1,
      pointsPerSecond: 1,
      rotationFrequency: 1,
      upperFov: 0,
      lowerFov: 0,
    };
    const scan = {
      horizontalAngle: 36,
      counts: Uint32Array.from([0, 1]),
      points: Float32Array.from([1, 2, 3]),
    };
    const frame = Buffer.from(encodeScan(lidar, 9, scan));
    expect(frame.readUInt32LE(0)).toBe(frame.length - 4);
    expect(frame.readFloatLE(16)).toBe(36);
    expect([20, 24, 28].map((at) => frame.readUInt32LE(at))).toEqual([2, 0, 1]);
    expect([32, 36, 40].map((at) => frame.readFloatLE(at))).toEqual([1, 2, 3]);
    expect(frame.length).toBe(44);
  });
});
