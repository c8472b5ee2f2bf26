import { describe, expect, it } from 'vitest';

import { parseSettings } from '../../../../src/gateways/carla/protocol/settings.js';
import { createSensorSuite } from '../../../../src/gateways/carla/sensors/create-sensor-suite.js';
import { FrameDecoder } from '../../../../src/gateways/frame-decoder.js';
import { stepAt, vehicleSize } from './steps.js';

const { sensors } = parseSettings(`[CARLA/Sensor]
Sensors=eye,laser
[CARLA/Sensor/eye]
SensorType=CAMERA
ImageSizeX=40
ImageSizeY=30
FOV=60
[CARLA/Sensor/laser]
SensorType=LIDAR_RAY_CAST
Channels=2
`);

describe('sensors', () => {
  it('that are blank give black images of the right size, and scans without points', async () => {
    const suite = createSensorSuite('blank', sensors, vehicleSize);
    expect(suite.isEmpty).toBe(false);
    const frames = await suite.capture(7, stepAt(0), 1);
    const [image, scan, ...more] = [...new FrameDecoder(1e6).push(Buffer.concat(frames))].map(
      (content) => Buffer.from(content),
    );
    expect(more).toEqual([]);
    // Sensor id, frame number (u64), width, height, type SceneFinal, field of view; then the pixels.
    expect([0, 4, 12, 16, 20].map((at) => image?.readUInt32LE(at))).toEqual([1, 7, 40, 30, 1]);
    expect(image?.readFloatLE(24)).toBe(60);
    const pixels = image?.subarray(28);
    expect(pixels).toHaveLength(4 * 40 * 30);
    expect(new Set(pixels)).toEqual(new Set([0]));
    // Sensor id, frame number (u64), angle, number of channels, and the points of each.
    expect([0, 4, 12, 16, 20, 24].map((at) => scan?.readUInt32LE(at))).toEqual([2, 7, 0, 2, 0, 0]);
    expect(scan).toHaveLength(28);
    suite.close();
  });

  it.each([
    { mode: 'off', wanted: sensors },
    { mode: 'blank', wanted: [] },
    { mode: 'synthetic', wanted: [] },
  ] as const)('are none: $mode, where the client asks for $wanted.length', async (one) => {
    const suite = createSensorSuite(one.mode, one.wanted, vehicleSize);
    expect(suite.isEmpty).toBe(true);
    expect(await suite.capture(1, stepAt(0), 1)).toEqual([]);
  });
});
