import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { decodeControl } from '../../../../src/gateways/carla/protocol/control.js';
import { encodeFrame } from '../../../../src/gateways/carla/protocol/frames.js';
import { FrameDecoder } from '../../../../src/gateways/frame-decoder.js';
import {
  decodeEpisodeStart,
  decodeRequestNewEpisode,
  encodeEpisodeReady,
} from '../../../../src/gateways/carla/protocol/world-messages.js';
import {
  MeasurementsSchema,
  SceneDescriptionSchema,
  Sensor_Type,
} from '../../../../src/gateways/generated/carla_pb.js';

/** Frames as a CARLA 0.8 server and its client exchange them, computed without this code. */
const golden = {
  startIndex0: '00 00 00 00',
  startIndex3: '02 00 00 00 08 03',
  ready: '02 00 00 00 08 01',
  controlZero: '00 00 00 00',
  controlSteer: '0a 00 00 00 0d 00 00 80 3e 15 00 00 00 3f',
  controlReverse: '04 00 00 00 20 01 28 01',
  request: '11 00 00 00 0a 0f 5b 43 41 52 4c 41 2f 53 65 72 76 65 72 5d 0a',
  scene:
    '24 00 00 00 0a 0c 0a 0a 0d 00 00 80 3f 15 00 00 00 40 12 0c 0d 01 00 00 00 10 01 1a 03 43 61 6d 1a 06 54 6f 77 6e 30 31',
  measurements:
    '1c 00 00 00 08 e8 07 10 32 1a 13 0a 0c 0a 0a 0d 00 00 80 3f 15 00 00 00 40 25 00 00 a0 40 28 01',
};

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');

/** The content of the only frame of these bytes. */
function contentOf(hex: string): Uint8Array {
  const [content, ...more] = [...new FrameDecoder(1024).push(bytesOf(hex))];
  expect(more).toEqual([]);
  if (content === undefined) throw new Error('no frame');
  return content;
}

describe('the frames of CARLA 0.8', () => {
  it('of clients are decoded', () => {
    expect(decodeEpisodeStart(contentOf(golden.startIndex0))).toBe(0);
    expect(decodeEpisodeStart(contentOf(golden.startIndex3))).toBe(3);
    expect(decodeRequestNewEpisode(contentOf(golden.request))).toBe('[CARLA/Server]\n');
    expect(decodeControl(contentOf(golden.controlZero))).toEqual({
      motorThrottle: 0,
      steeringServo: 0,
    });
    expect(decodeControl(contentOf(golden.controlSteer))).toEqual({
      motorThrottle: 0.5,
      steeringServo: -0.25,
    });
    expect(decodeControl(contentOf(golden.controlReverse))).toEqual({
      motorThrottle: 0,
      steeringServo: 0,
    });
  });

  it('of servers are encoded', () => {
    expect(hexOf(encodeEpisodeReady())).toBe(golden.ready);
    const location = { x: 1, y: 2, z: 0 };
    const scene = create(SceneDescriptionSchema, {
      playerStartSpots: [{ location }],
      sensors: [{ id: 1, type: Sensor_Type.CAMERA, name: 'Cam' }],
      mapName: 'Town01',
    });
    expect(hexOf(encodeFrame(toBinary(SceneDescriptionSchema, scene)))).toBe(golden.scene);
    const measurements = create(MeasurementsSchema, {
      platformTimestamp: 1000,
      gameTimestamp: 50,
      frameNumber: 1n,
      playerMeasurements: { transform: { location }, forwardSpeed: 5 },
    });
    const frame = encodeFrame(toBinary(MeasurementsSchema, measurements));
    expect(hexOf(frame)).toBe(golden.measurements);
  });
});
