import { expect, it } from 'vitest';
import { McapBytes, zstdLoaded } from '../../../src/record/mcap-bytes.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { sampleHead, sampleMessage } from './sample-recording.js';

const mebibyte = 1024 * 1024;

it('the indexes of a hundred thousand chunks take little memory', async () => {
  await zstdLoaded;
  const bytes = new McapBytes();
  bytes.begin({ profile: 'ros2', library: 'test' }, sampleHead.schemas, sampleHead.channels);
  const addChunk = (i: number) => {
    bytes.addMessage({ ...sampleMessage(1), channelId: i % 2 });
    return bytes.closeChunk().byteLength;
  };
  addChunk(0);
  collectGarbage();
  const before = process.memoryUsage();
  for (let i = 1; i < 100_000; i++) addChunk(i);
  collectGarbage();
  const after = process.memoryUsage();
  expect(bytes.chunks).toBe(100_000);
  expect(after.heapUsed - before.heapUsed).toBeLessThan(5 * mebibyte);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 * mebibyte);
  const end = bytes.end().byteLength;
  expect(end).toBeGreaterThan(5 * mebibyte);
  expect(end).toBeLessThanOrEqual(bytes.mostEndBytes);
});
