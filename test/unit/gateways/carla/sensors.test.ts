import { describe, expect, it } from 'vitest';

import type {
  CameraSettings,
  LidarSettings,
} from '../../../../src/gateways/carla/protocol/settings.js';
import { drawImage } from '../../../../src/gateways/carla/sensors/camera.js';
import { scan } from '../../../../src/gateways/carla/sensors/lidar.js';
import { boxAt, viewFrom, type Scene } from '../../../../src/gateways/carla/sensors/scene.js';

const level = { x: 0, y: 0, z: 1, pitch: 0, yaw: 0, roll: 0 };
const size = { length: 4, width: 2, height: 2 };
const sensor = { id: 1, name: 's', pose: level };

/** The rear of the other vehicle is 8 m in front of the own one, its middle 0.8 m to the left. */
const own = { x: 5, y: 3, yaw: Math.PI / 2 };
const scene: Scene = { size, boxes: [boxAt(2, { x: 4.2, y: 13, yaw: Math.PI / 2 })] };

function lidar(settings: Partial<LidarSettings>): LidarSettings {
  return {
    ...sensor,
    kind: 'lidar',
    channels: 1,
    range: 50,
    pointsPerSecond: 40,
    rotationFrequency: 10,
    upperFov: 0,
    lowerFov: 0,
    ...settings,
  };
}

function camera(image: CameraSettings['image']): CameraSettings {
  return { ...sensor, kind: 'camera', image, width: 8, height: 8, fov: 90 };
}

const view = viewFrom(boxAt(1, own), level);

describe('the lidar', () => {
  it('gives points to the right, to the rear and downwards, as CARLA 0.8', () => {
    // A straight ray meets the right half of the rear: 8 m in front.
    const { points, counts } = scan(lidar({}), { fromAngle: 0, duration: 0.1 }, view, scene);
    expect([...counts]).toEqual([1]);
    const [x, y, z] = points;
    expect(x).toBeCloseTo(0);
    expect(y).toBeCloseTo(-8);
    expect(z).toBeCloseTo(0);
  });

  it('has its channels from the upper to the lower limit, and meets the ground', () => {
    const settings = lidar({ channels: 3, pointsPerSecond: 30, upperFov: 10, lowerFov: -45 });
    const empty = { size, boxes: [] };
    const sweep = { fromAngle: 90, duration: 0.1 };
    const { points, counts, horizontalAngle } = scan(settings, sweep, view, empty);
    expect([...counts]).toEqual([0, 1, 1]);
    expect(horizontalAngle).toBe(90);
    // 45 degrees below the horizon, from a height of 1 m, to the right.
    expect(points[3]).toBeCloseTo(1);
    expect(points[4]).toBeCloseTo(0);
    expect(points[5]).toBeCloseTo(1);
  });

  it('has no points beyond its range, and bounded ones', () => {
    const near = scan(lidar({ range: 7.9 }), { fromAngle: 0, duration: 0.1 }, view, scene);
    expect(near.points).toHaveLength(0);
    const many = lidar({ pointsPerSecond: 10_000_000, upperFov: -10, lowerFov: -10 });
    const { points } = scan(many, { fromAngle: 0, duration: 1 }, view, { size, boxes: [] });
    expect(points).toHaveLength(3 * 500_000);
  });
});

describe('the camera', () => {
  const pixel = (pixels: Uint8Array, row: number, column: number) => {
    return [...pixels.subarray(4 * (8 * row + column), 4 * (8 * row + column) + 4)];
  };

  it('labels the sky, the road and vehicles with the classes of CARLA', () => {
    const pixels = drawImage(camera('SemanticSegmentation'), view, scene);
    const labels = [...pixels].filter((_, index) => index % 4 === 2);
    expect(new Set(labels)).toEqual(new Set([0, 7, 10]));
    expect(pixel(pixels, 0, 0)).toEqual([0, 0, 0, 255]);
    expect(pixel(pixels, 7, 7)).toEqual([0, 0, 7, 255]);
    // The vehicle is in the middle and to the left, not to the right.
    expect(pixel(pixels, 3, 3)).toEqual([0, 0, 10, 255]);
    expect(pixel(pixels, 3, 4)).toEqual([0, 0, 0, 255]);
  });

  it('encodes the depth along its axis in 24 bits, 1000 m being the most', () => {
    const pixels = drawImage(camera('Depth'), view, scene);
    const depth = (row: number, column: number) => {
      const [b = 0, g = 0, r = 0] = pixel(pixels, row, column);
      return ((b * 65536 + g * 256 + r) / (2 ** 24 - 1)) * 1000;
    };
    expect(depth(3, 3)).toBeCloseTo(8, 3);
    expect(depth(0, 0)).toBe(1000);
    // Half a pixel above the lowest row: 3.5 / 4 below the axis at depth 1.
    expect(depth(7, 7)).toBeCloseTo(4 / 3.5, 3);
  });

  it('draws a vehicle that reaches behind it', () => {
    const around = { size, boxes: [boxAt(2, { x: 5, y: 5.5, yaw: 0 })] };
    const pixels = drawImage(camera('SemanticSegmentation'), view, around);
    expect(pixel(pixels, 3, 3)).toEqual([0, 0, 10, 255]);
  });
});
