import { TapFormatError } from './byte-reader.js';
import type { RecordedEffect } from './effect-fields.js';
import { effectHead, eventHead } from './frame-layout.js';
import type { ObservedEvent } from './observed.js';

const instantBytes = 8;
const numberBytes = 4;
const enumBytes = 1;

/**
 * Where the sample of an event stands, without decoding the event.
 * @param at of its frame with the header, among others.
 * @param end of its frame.
 * @returns the place of the number of bytes, which the bytes follow; -1 for a kind without a sample.
 * @throws TapFormatError when the frame is cut.
 */
export function eventSampleAt(
  kind: ObservedEvent['kind'],
  frames: Buffer,
  at: number,
  end: number,
): number {
  const members = at + eventHead;
  switch (kind) {
    case 'vehicleState':
    case 'vehicleObservation':
      return members + instantBytes;
    case 'command': {
      const writer = members + 2 * instantBytes;
      const isNamed = writer < end && frames[writer] !== 0;
      const named = isNamed ? numberBytes + numberAt(frames, writer + 1, end) : 0;
      return writer + 1 + named + enumBytes;
    }
    case 'startSent':
      return members + 2 * numberBytes + 4 * instantBytes;
    default:
      return -1;
  }
}

/** As {@link eventSampleAt}, of an effect; a command that is forwarded stands in its event. */
export function effectSampleAt(
  kind: RecordedEffect['kind'],
  frames: Buffer,
  at: number,
  end: number,
): number {
  const sent = at + effectHead - numberBytes;
  if (kind === 'sendStartSignal') return sent;
  if (kind !== 'commandVehicle') return -1;
  const members = sent + numberBytes + numberAt(frames, sent, end);
  return members + 3 * enumBytes;
}

/**
 * The end of the bytes of a sample.
 * @param at as {@link eventSampleAt} gives it.
 * @throws TapFormatError when they end after the frame.
 */
export function sampleEnd(frames: Buffer, at: number, end: number): number {
  const sampleEnds = at + numberBytes + numberAt(frames, at, end);
  if (sampleEnds > end) throw new TapFormatError('a sample is cut');
  return sampleEnds;
}

/** Where the bytes of a sample begin. */
export function sampleStart(at: number): number {
  return at + numberBytes;
}

function numberAt(frames: Buffer, at: number, end: number): number {
  if (at + numberBytes > end) throw new TapFormatError('a frame is cut');
  return frames.readUInt32LE(at);
}
