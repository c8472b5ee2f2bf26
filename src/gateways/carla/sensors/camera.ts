import type { CameraSettings } from '../protocol/settings.js';
import {
  castAtBox,
  castAtGround,
  castBoxes,
  type CastBox,
  type Scene,
  type Vector,
  type View,
} from './scene.js';

/** The depth that CARLA encodes as white, metres. */
const farthest = 1000;
const most24Bits = 2 ** 24 - 1;
/** Classes of CARLA's semantic segmentation. */
const classes = { none: 0, road: 7, vehicle: 10 } as const;

type Colour = readonly [blue: number, green: number, red: number];
const sky: Colour = [235, 206, 160];
const ground: Colour = [96, 96, 100];
const bodies: readonly Colour[] = [
  [40, 40, 200],
  [200, 80, 40],
  [60, 170, 60],
  [40, 190, 220],
  [180, 60, 160],
  [200, 180, 60],
];
/** Brightness of front and rear, of the sides, and of the top. */
const shades = [0.7, 0.85, 1] as const;

/** What a pixel shows: nothing (sky), the ground, or a face of a vehicle. */
interface Seen {
  /** Along the axis of the camera, metres; infinite for the sky. */
  readonly depth: number;
  readonly label: number;
  readonly colour: Colour;
}

const seenSky: Seen = { depth: Infinity, label: classes.none, colour: sky };

/**
 * Draws the image of a camera.
 * @returns blue, green, red and alpha of each pixel, row by row from the top.
 */
export function drawImage(settings: CameraSettings, view: View, scene: Scene): Uint8Array {
  const { width, height, image } = settings;
  const pixels = new Uint8Array(4 * width * height);
  const focal = focalLength(settings);
  const boxes = castBoxes(scene).map((box) => ({
    box,
    area: areaOf(box, scene, view, settings),
  }));
  for (let row = 0; row < height; row++) {
    const inRow = boxes.filter(({ area }) => area.top <= row && row <= area.bottom);
    const v = (height / 2 - row - 0.5) / focal;
    for (let column = 0; column < width; column++) {
      const u = (column + 0.5 - width / 2) / focal;
      const ray = rayOf(view, u, v);
      let seen = seenSky;
      const groundDepth = castAtGround(view.origin, ray);
      if (groundDepth < farthest) {
        seen = { depth: groundDepth, label: classes.road, colour: ground };
      }
      for (const { box, area } of inRow) {
        if (column < area.left || column > area.right) continue;
        const hit = castAtBox(view.origin, ray, box, scene.size);
        if (hit === null || hit.distance >= seen.depth) continue;
        const body = bodies[box.id % bodies.length] ?? sky;
        const shade = shades[hit.face];
        seen = {
          depth: hit.distance,
          label: classes.vehicle,
          colour: [body[0] * shade, body[1] * shade, body[2] * shade],
        };
      }
      paint(pixels, 4 * (row * width + column), image, seen);
    }
  }
  return pixels;
}

function paint(pixels: Uint8Array, at: number, image: CameraSettings['image'], seen: Seen): void {
  pixels[at + 3] = 255;
  if (image === 'SemanticSegmentation') {
    pixels[at + 2] = seen.label;
    return;
  }
  if (image === 'Depth') {
    const depth = Math.round((Math.min(seen.depth, farthest) / farthest) * most24Bits);
    pixels[at] = depth >> 16;
    pixels[at + 1] = (depth >> 8) & 255;
    pixels[at + 2] = depth & 255;
    return;
  }
  pixels.set(seen.colour, at);
}

/** Pixels for one unit to the side at depth 1. */
function focalLength({ width, fov }: CameraSettings): number {
  return width / 2 / Math.tan((fov * Math.PI) / 360);
}

/** The direction of a pixel, whose part along the axis of the camera is 1. */
function rayOf({ forward, right, up }: View, u: number, v: number): Vector {
  return [
    forward[0] + right[0] * u + up[0] * v,
    forward[1] + right[1] * u + up[1] * v,
    forward[2] + right[2] * u + up[2] * v,
  ];
}

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The pixels outside of which a box is not seen: all of them when it reaches behind the camera. */
function areaOf(box: CastBox, { size }: Scene, view: View, settings: CameraSettings): Area {
  const { width, height } = settings;
  const focal = focalLength(settings);
  const area = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const front of [-0.5, 0.5]) {
    for (const side of [-0.5, 0.5]) {
      for (const z of [0, size.height]) {
        const [x, y] = [front * size.length, side * size.width];
        const corner: Vector = [
          box.x + x * box.cos - y * box.sin - view.origin[0],
          box.y + x * box.sin + y * box.cos - view.origin[1],
          z - view.origin[2],
        ];
        const depth = dot(corner, view.forward);
        if (depth <= 0.001) return { left: 0, right: width, top: 0, bottom: height };
        const column = width / 2 + (dot(corner, view.right) / depth) * focal;
        const row = height / 2 - (dot(corner, view.up) / depth) * focal;
        area.left = Math.min(area.left, Math.floor(column) - 1);
        area.right = Math.max(area.right, Math.ceil(column));
        area.top = Math.min(area.top, Math.floor(row) - 1);
        area.bottom = Math.max(area.bottom, Math.ceil(row));
      }
    }
  }
  return area;
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
