import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  defaultSettings,
  parseSettings,
} from '../../../../src/gateways/carla/protocol/settings.js';
import { Refusal } from '../../../../src/gateways/refusal.js';

describe('settings', () => {
  const text = `
; a comment
[CARLA/Server]
SynchronousMode=False
SendNonPlayerAgentsInfo = True
[CARLA/LevelSettings]
NumberOfVehicles=20
[CARLA/Sensor]
Sensors=front, front/depth,laser,odd
PositionZ=2
[CARLA/Sensor/front]
SensorType=CAMERA
ImageSizeX=80
imagesizey="60"
RotationPitch=-8.5
[CARLA/Sensor/front/depth]
PostProcessing=Depth
[CARLA/Sensor/laser]
SensorType=LIDAR_RAY_CAST
Channels=4
UpperFovLimit=5
[CARLA/Sensor/odd]
SensorType=RADAR
`;

  it('are read as CARLA reads them', () => {
    const settings = parseSettings(text.replaceAll('\n', '\r\n'));
    const pose = { x: 0.2, y: 0, z: 2, pitch: 0, yaw: 0, roll: 0 };
    const front = {
      kind: 'camera',
      width: 80,
      height: 60,
      fov: 90,
      pose: { ...pose, pitch: -8.5 },
    };
    expect(settings).toEqual({
      synchronous: false,
      sendsAgents: true,
      sensors: [
        { ...front, id: 1, name: 'front', image: 'SceneFinal' },
        { ...front, id: 2, name: 'front/depth', image: 'Depth' },
        {
          kind: 'lidar',
          id: 3,
          name: 'laser',
          pose,
          channels: 4,
          range: 50,
          pointsPerSecond: 56_000,
          rotationFrequency: 10,
          upperFov: 5,
          lowerFov: -30,
        },
      ],
      warnings: ['Sensor "odd" has no type that exists.'],
    });
  });

  it('keep what the next ones leave out, without the sensors', () => {
    const next = parseSettings('[CARLA/Sensor]\nSensors=\n', parseSettings(text));
    expect(next).toEqual({ synchronous: false, sendsAgents: true, sensors: [], warnings: [] });
  });

  it.each(['', 'garbage', '=\n[\n]\n[]\n=x', '[CARLA/Server]\nSynchronousMode', '\u0000\uffff'])(
    'without meaning are those of the server: %j',
    (odd) => expect(parseSettings(odd)).toEqual(defaultSettings),
  );

  it.each([
    ['[CARLA/Sensor]\nSensors=' + 'a,'.repeat(33), '33 sensors'],
    [
      '[CARLA/Sensor]\nSensors=a\n[CARLA/Sensor/a]\nSensorType=CAMERA\nImageSizeX=99999999',
      'pixels',
    ],
    [
      '[CARLA/Sensor]\nSensors=a\n[CARLA/Sensor/a]\nSensorType=CAMERA\nImageSizeX=9999\nImageSizeY=9999',
      'pixels',
    ],
    [
      '[CARLA/Sensor]\nSensors=a\n[CARLA/Sensor/a]\nSensorType=LIDAR_RAY_CAST\nChannels=5000',
      '1024',
    ],
  ])('beyond the bounds are refused: %j', (beyond) => {
    expect(() => parseSettings(beyond)).toThrow(Refusal);
  });

  const sensorsOf = (count: number, lines: string) =>
    `[CARLA/Sensor]\nSensors=${Array.from({ length: count }, (_, i) => `s${i}`).join(',')}\n${lines}`;
  const fullHd = 'SensorType=CAMERA\nImageSizeX=1920\nImageSizeY=1080';
  const lidar = 'SensorType=LIDAR_RAY_CAST\nPointsPerSecond=2500000';

  it('have eight cameras of 1920 × 1080 pixels, and four lidars of 2,500,000 points', () => {
    expect(parseSettings(sensorsOf(8, fullHd)).sensors).toHaveLength(8);
    expect(parseSettings(sensorsOf(4, lidar)).sensors).toHaveLength(4);
  });

  it('whose sensors are too large together are refused, with the sensor that is too much', () => {
    expect(() => parseSettings(sensorsOf(9, fullHd))).toThrow(
      'its images up to sensor "s8" have 18662400 pixels, more than 16777216',
    );
    expect(() => parseSettings(sensorsOf(5, lidar))).toThrow(
      'its lidars up to sensor "s4" have 12500000 points per second, more than 10000000',
    );
  });

  it('name sensors without control characters', () => {
    const { warnings } = parseSettings('[CARLA/Sensor]\nSensors=a\u001b[2J\nSensorType=RADAR');
    expect(warnings).toEqual(['Sensor "a\\u{1b}[2J" has no type that exists.']);
  });

  it('never have numbers beyond the bounds', () => {
    const numbers = ['NaN', '-1', '1e30', 'x', '0', '12abc', '-0.5', '"3"'];
    const keys = ['ImageSizeX', 'ImageSizeY', 'FOV', 'Channels', 'Range', 'PointsPerSecond'];
    fc.assert(
      fc.property(
        fc.constantFrom('CAMERA', 'LIDAR_RAY_CAST'),
        fc.constantFrom(...keys),
        fc.constantFrom(...numbers),
        (type, key, value) => {
          const ini = `[CARLA/Sensor]\nSensors=a\nSensorType=${type}\n${key}=${value}`;
          let sensors;
          try {
            ({ sensors } = parseSettings(ini));
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
            return;
          }
          for (const number of Object.values(sensors[0] ?? {})) {
            if (typeof number === 'number') expect(Number.isFinite(number)).toBe(true);
          }
        },
      ),
    );
  });
});
