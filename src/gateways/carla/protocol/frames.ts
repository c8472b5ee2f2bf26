import { frameHeaderBytes } from '../../frame-decoder.js';

/** The frame of these parts: their total length, then their bytes. */
export function encodeFrame(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const frame = new Uint8Array(frameHeaderBytes + length);
  new DataView(frame.buffer).setUint32(0, length, true);
  let at = frameHeaderBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.byteLength;
  }
  return frame;
}

/** The frame without content: the end of the sensor data of one tick. */
export const emptyFrame: Uint8Array = new Uint8Array(frameHeaderBytes);
