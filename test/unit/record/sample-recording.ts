import { McapIndexedReader, type McapTypes } from '@mcap/core';
import { decompress } from '@foxglove/wasm-zstd';
import { readFileSync } from 'node:fs';
import { RecordingFile, type RecordingHead } from '../../../src/record/index.js';

const text = (value: string) => new TextEncoder().encode(value);

/** Two channels with one schema, metadata and a file. */
export const sampleHead: RecordingHead = {
  library: 'test',
  schemas: [{ id: 1, name: 'a/msg/B', encoding: 'ros2msg', data: text('uint8 x\n') }],
  channels: ['/one', '/two'].map((topic, id) => ({
    id,
    schemaId: 1,
    topic,
    messageEncoding: 'cdr',
    metadata: new Map(),
  })),
  attachments: [
    { name: 'B.idl', mediaType: 'text/plain', logTime: 1n, createTime: 1n, data: text('struct') },
  ],
  metadata: [{ name: 'run', metadata: new Map([['period_ms', '50']]) }],
};

/** Message number `i` of the sample; every tenth is large. */
export function sampleMessage(i: number): McapTypes.Message {
  const time = 1_000_000_000n + BigInt(i) * 1_000_000n;
  let random = i + 1;
  const data = new Uint8Array(i % 10 === 0 ? 5000 : 60).map(
    () => (random = (random * 48_271) % 2_147_483_647),
  );
  return { channelId: i % 2, sequence: i, logTime: time, publishTime: time, data };
}

/** Writes messages 0 to `count`, and closes a chunk after each `perChunk` of them. */
export async function writeSample(
  path: string,
  count: number,
  { perChunk = 10, maxBytes = null }: { perChunk?: number; maxBytes?: number | null } = {},
): Promise<RecordingFile> {
  const file = await RecordingFile.create({
    path,
    head: sampleHead,
    maxBytes,
    onFailed: (error) => {
      throw error;
    },
  });
  for (let i = 0; i < count; i++) {
    file.add(sampleMessage(i));
    if ((i + 1) % perChunk === 0) file.flush();
  }
  await file.close([{ name: 'end', metadata: new Map([['dropped', '0']]) }]);
  return file;
}

/** Opens a file with the reader of the library, which uses the indexes and their checksums. */
export function indexedReader(path: string): Promise<McapIndexedReader> {
  const bytes = readFileSync(path);
  return McapIndexedReader.Initialize({
    readable: {
      size: () => Promise.resolve(BigInt(bytes.byteLength)),
      read: (offset, size) =>
        Promise.resolve(bytes.subarray(Number(offset), Number(offset + size))),
    },
    decompressHandlers: { zstd: (buffer, size) => decompress(buffer, Number(size)) },
  });
}

/** All that a generator gives. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
