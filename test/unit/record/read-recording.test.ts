import { compress, isLoaded } from '@foxglove/wasm-zstd';
import { McapRecordBuilder } from '@mcap/core';
import fc from 'fast-check';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isHlcError } from '../../../src/errors/index.js';
import { readRecording, recoverRecording, type RecordingItem } from '../../../src/record/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { collected, indexedReader, sampleMessage, writeSample } from './sample-recording.js';

const count = 100;
const perChunk = 10;
let whole: Buffer;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const file = path.join(folder, 'whole.mcap');
  await writeSample(file, count, { perChunk });
  whole = readFileSync(file);
});

async function itemsOf(bytes: Uint8Array): Promise<RecordingItem[]> {
  const file = path.join(folder, 'other.mcap');
  writeFileSync(file, bytes);
  return collected(readRecording(file));
}

function sequences(items: readonly RecordingItem[]): number[] {
  return items.flatMap((item) => (item.kind === 'message' ? [item.message.sequence] : []));
}

/** Where the chunks of the recording end. */
async function chunkEnds(): Promise<number[]> {
  const { chunkIndexes } = await indexedReader(path.join(folder, 'whole.mcap'));
  return chunkIndexes.map(({ chunkStartOffset, chunkLength }) =>
    Number(chunkStartOffset + chunkLength),
  );
}

describe('A recording that is read', () => {
  it('gives all that was written, in its order', async () => {
    const items = await itemsOf(whole);
    const messages = items.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
    expect(messages.map(({ data }) => data)).toEqual(
      Array.from({ length: count }, (_, i) => sampleMessage(i).data),
    );
    const kinds = new Set(items.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['attachment', 'channel', 'message', 'metadata', 'schema']);
  });

  it('gives every chunk that is complete, wherever the file is cut', async () => {
    const ends = await chunkEnds();
    const property = fc.asyncProperty(fc.integer({ min: 8, max: whole.length - 1 }), async (at) => {
      const items = await itemsOf(whole.subarray(0, at));
      const complete = ends.filter((end) => end <= at).length * perChunk;
      expect(sequences(items)).toEqual(Array.from({ length: complete }, (_, i) => i));
      // Without its last bytes a footer is not needed any more.
      const last = items.at(-1);
      if (at < (ends.at(-1) ?? 0)) expect(last?.kind).toBe('cut');
      if (last?.kind === 'cut') expect(last.offset + last.bytes).toBe(at);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('leaves out what is broken, and ends', async () => {
    const change = fc.tuple(fc.nat({ max: whole.length - 9 }), fc.integer({ min: 1, max: 255 }));
    const property = fc.asyncProperty(fc.array(change, { minLength: 1 }), async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at + 8] = (bytes[at + 8] ?? 0) ^ value;
      const read = sequences(await itemsOf(bytes));
      expect(read.length).toBeLessThanOrEqual(count);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('reads what follows a broken chunk', async () => {
    const [first = 0] = await chunkEnds();
    const bytes = Buffer.from(whole);
    bytes[first - 5] = (bytes[first - 5] ?? 0) ^ 1;
    const items = await itemsOf(bytes);
    expect(items.filter(({ kind }) => kind === 'broken')).toHaveLength(1);
    const left = Array.from({ length: count - perChunk }, (_, i) => perChunk + i);
    expect(sequences(items)).toEqual(left);
  });

  it.each([
    ['that is empty', () => writeFileSync(path.join(folder, 'x'), ''), 'it is empty'],
    ['of 3 bytes', () => writeFileSync(path.join(folder, 'x'), 'abc'), 'it is too short'],
    ['of another kind', () => writeFileSync(path.join(folder, 'x'), 'x'.repeat(99)), 'no MCAP'],
  ])('refuses a file %s', async (_, make, cause) => {
    make();
    await expect(collected(readRecording(path.join(folder, 'x')))).rejects.toMatchObject({
      code: 'HLC_RECORDING_READ',
      message: expect.stringContaining(cause) as unknown,
    });
  });

  it('refuses a folder, and a file that is not there', async () => {
    mkdirSync(path.join(folder, 'sub'));
    for (const name of ['sub', 'absent']) {
      const error: unknown = await collected(readRecording(path.join(folder, name))).catch(
        (each: unknown) => each,
      );
      expect(isHlcError(error)).toBe(true);
    }
  });

  it('takes a record that claims to be huge for the end of the file', async () => {
    const head = Buffer.alloc(9);
    head.writeUInt8(0x06, 0);
    head.writeBigUInt64LE(1n << 60n, 1);
    const items = await itemsOf(Buffer.concat([whole.subarray(0, 8), head, whole.subarray(8)]));
    expect(items).toEqual([{ kind: 'cut', offset: 8, bytes: whole.length + 1 }]);
  });
});

describe('A recording that is made to do harm', () => {
  const file = (write: (records: McapRecordBuilder) => void) => {
    const records = new McapRecordBuilder();
    records.writeMagic();
    write(records);
    return itemsOf(records.buffer.slice());
  };

  const channels = (number: number) => (all: McapRecordBuilder) => {
    for (let id = 0; id < number; id++) {
      const metadata = new Map<string, string>();
      all.writeChannel({ id, schemaId: 0, topic: `/${id}`, messageEncoding: 'cdr', metadata });
    }
  };

  it('has no chunk that grows beyond 16 MiB', async () => {
    await isLoaded;
    const mostBytes = 16 * 1024 * 1024;
    const message = new McapRecordBuilder();
    message.writeMessage({
      channelId: 0,
      sequence: 0,
      logTime: 1n,
      publishTime: 1n,
      data: new Uint8Array(),
    });
    const records = Buffer.alloc(
      Math.ceil(mostBytes / message.length) * message.length,
      message.buffer,
    );
    const chunk = {
      ...{ messageStartTime: 1n, messageEndTime: 1n, uncompressedCrc: 0, compression: 'zstd' },
      records: compress(records, 1),
    };
    // The second one lies about its size.
    for (const uncompressedSize of [BigInt(records.length), 100n, 1n << 63n]) {
      const items = await file((all) => {
        channels(1)(all);
        all.writeChunk({ ...chunk, uncompressedSize });
      });
      expect(items.map(({ kind }) => kind)).toEqual(['channel', 'broken', 'cut']);
    }
  });

  it('is refused with more than 1024 channels', async () => {
    expect(await file(channels(1024))).toHaveLength(1025);
    await expect(file(channels(1025))).rejects.toMatchObject({ code: 'HLC_RECORDING_READ' });
  });
});

describe('A recovery', () => {
  it('writes what is readable of a cut file to a complete one', async () => {
    const ends = await chunkEnds();
    const cut = path.join(folder, 'cut.mcap');
    const at = (ends[6] ?? 0) + 100;
    writeFileSync(cut, whole.subarray(0, at));
    const output = path.join(folder, 'recovered.mcap');
    const recovery = await recoverRecording(cut, output, 'test');
    expect(recovery).toMatchObject({ messages: 70, brokenRecords: 0 });
    expect(recovery.cutBytes).toBeGreaterThan(0);
    const reader = await indexedReader(output);
    const messages = await collected(reader.readMessages({ validateCrcs: true }));
    expect(messages.map(({ type: _, ...message }) => message)).toEqual(
      Array.from({ length: 70 }, (_, i) => sampleMessage(i)),
    );
    expect(await collected(reader.readMetadata({ name: 'run' }))).toHaveLength(1);
    expect(reader.attachmentIndexes).toHaveLength(1);
    const names = (await collected(reader.readMetadata())).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(readFileSync(cut)).toEqual(whole.subarray(0, at));
  });

  it('does not overwrite a file', async () => {
    const output = path.join(folder, 'mine.mcap');
    writeFileSync(output, 'mine');
    const file = path.join(folder, 'whole.mcap');
    await expect(recoverRecording(file, output, 'test')).rejects.toMatchObject({
      code: 'HLC_RECORDING_WRITE',
    });
    expect(readFileSync(output, 'utf8')).toBe('mine');
  });
});
