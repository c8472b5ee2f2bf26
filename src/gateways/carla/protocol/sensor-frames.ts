import { encodeFrame } from './frames.js';
import { imageTypes, type CameraSettings, type LidarSettings } from './settings.js';

/** Sensor id, then frame number, width, height, type and field of view. */
const imageHeaderBytes = 4 + 24;
/** Sensor id, then frame number, horizontal angle and number of channels. */
const lidarHeaderBytes = 4 + 16;

/**
 * The frame of an image.
 * @param pixels Blue, green, red and alpha of each pixel, row by row from the top.
 */
export function encodeImage(
  { id, width, height, image, fov }: CameraSettings,
  frameNumber: number,
  pixels: Uint8Array,
): Uint8Array {
  const header = new DataView(new ArrayBuffer(imageHeaderBytes));
  header.setUint32(0, id, true);
  header.setBigUint64(4, BigInt(frameNumber), true);
  header.setUint32(12, width, true);
  header.setUint32(16, height, true);
  header.setUint32(20, imageTypes.indexOf(image), true);
  header.setFloat32(24, fov, true);
  return encodeFrame(new Uint8Array(header.buffer), pixels);
}

/** The points of one frame of a lidar. */
export interface LidarScan {
  /** Degrees at the end of the scan, 0 to 360. */
  readonly horizontalAngle: number;
  /** Points of each channel. */
  readonly counts: Uint32Array;
  /** x, y, z of each point, metres, channel by channel. */
  readonly points: Float32Array;
}

/** The frame of a scan. */
export function encodeScan(
  { id, channels }: LidarSettings,
  frameNumber: number,
  { horizontalAngle, counts, points }: LidarScan,
): Uint8Array {
  const body = new DataView(new ArrayBuffer(lidarHeaderBytes + 4 * (channels + points.length)));
  body.setUint32(0, id, true);
  body.setBigUint64(4, BigInt(frameNumber), true);
  body.setFloat32(12, horizontalAngle, true);
  body.setUint32(16, channels, true);
  let at = lidarHeaderBytes;
  for (const count of counts) {
    body.setUint32(at, count, true);
    at += 4;
  }
  for (const coordinate of points) {
    body.setFloat32(at, coordinate, true);
    at += 4;
  }
  return encodeFrame(new Uint8Array(body.buffer));
}
