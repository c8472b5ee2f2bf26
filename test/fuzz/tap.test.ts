import { expect, it } from 'vitest';
import {
  encodeMembers,
  FrameCursor,
  FrameSplitter,
  FrameWriter,
  keptPriority,
  RecordReader,
  TapFormatError,
} from '../../src/tap/index.js';
import { TappedNode } from '../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../support/tapped-run.js';
import { mutate, seededRandom } from './mutate.js';
import { samplesPerCodec, seed } from './settings.js';

it('The reader of the tap withstands broken frames', async () => {
  const random = seededRandom(seed);
  const good = await recordedFrames();
  const frames = new FrameWriter();
  frames.plain('end', { reason: 'closed' }, keptPriority);
  good.push(frames.take());
  let refused = 0;
  for (let i = 0; i < samplesPerCodec; i++) {
    const reader = new RecordReader();
    const at = random.next(good.length);
    // An effect needs its event.
    for (const frame of good.slice(Math.max(0, at - 3), at)) readOrRefuse(reader, frame);
    if (readOrRefuse(reader, mutate(good[at] ?? Buffer.alloc(8), random))) refused++;
  }
  expect(refused).toBeGreaterThan(samplesPerCodec / 10);
});

it('The splitter of frames withstands broken streams', async () => {
  const random = seededRandom(seed);
  const good = Buffer.concat((await recordedFrames()).slice(0, 200));
  for (let i = 0; i < samplesPerCodec / 10; i++) {
    const splitter = new FrameSplitter();
    try {
      splitter.push(Buffer.from(mutate(good, random)));
    } catch (error) {
      if (!(error instanceof TapFormatError)) throw error;
    }
  }
});

it('The cursor over frames withstands broken frames', async () => {
  const random = seededRandom(seed);
  const good = await recordedFrames();
  let refused = 0;
  for (let i = 0; i < samplesPerCodec; i++) {
    const cursor = new FrameCursor();
    const at = random.next(good.length);
    try {
      const frame = mutate(new Uint8Array(good[at] ?? []), random);
      const broken = new FrameSplitter().complete(Buffer.from(frame));
      for (const frames of [...good.slice(Math.max(0, at - 3), at), broken]) {
        cursor.begin(frames);
        while (cursor.next()) readSample(cursor);
      }
    } catch (error) {
      if (!(error instanceof TapFormatError)) throw error;
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(samplesPerCodec / 100);
});

/** The frames of a run in real time. */
async function recordedFrames(): Promise<Buffer[]> {
  const recorder = new FrameRecorder();
  await eventfulRun(new TappedNode('--active-vehicle-ids=1', recorder), false);
  return recorder.frames();
}

/** The sample of a frame lies within the bytes. */
function readSample(cursor: FrameCursor): void {
  const { type, topic } = cursor;
  if ((type !== 'event' && type !== 'effect') || topic === '') return;
  cursor.findSample(type);
  const { sampleIn, sampleStart, sampleEnd } = cursor;
  expect(sampleStart).toBeLessThanOrEqual(sampleEnd);
  expect(sampleEnd).toBeLessThanOrEqual(sampleIn.length);
}

/** What is read can be written again. @returns true when the frame was refused. */
function readOrRefuse(reader: RecordReader, bytes: Uint8Array): boolean {
  const frame = Buffer.from(bytes);
  try {
    const record = reader.read(frame);
    if (record.type === 'event') return record.event.kind !== record.kind;
    if (record.type === 'effect') return encodeMembers(record.effect).length === -1;
    return false;
  } catch (error) {
    if (error instanceof TapFormatError) return true;
    throw error;
  }
}
