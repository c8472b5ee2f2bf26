import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRecording, RecordingFile } from '../../../src/record/index.js';
import { McapBytes } from '../../../src/record/mcap-bytes.js';
import { mostChunks } from '../../../src/record/recording-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  collected,
  indexedReader,
  sampleHead,
  sampleMessage,
  writeSample,
} from './sample-recording.js';

const mebibyte = 1024 * 1024;

afterEach(() => vi.restoreAllMocks());

describe('A recording file', () => {
  it('is read back by its indexes: messages, metadata, attachments, statistics', async () => {
    const file = path.join(temporaryFolder(), 'a.mcap');
    await writeSample(file, 95);
    const reader = await indexedReader(file);
    const messages = await collected(reader.readMessages({ validateCrcs: true }));
    expect(messages.map(({ type: _, ...message }) => message)).toEqual(
      Array.from({ length: 95 }, (_, i) => sampleMessage(i)),
    );
    expect(reader.chunkIndexes).toHaveLength(10);
    expect(reader.statistics).toMatchObject({
      messageCount: 95n,
      chunkCount: 10,
      schemaCount: 1,
      channelCount: 2,
      metadataCount: 3,
      attachmentCount: 1,
      messageStartTime: sampleMessage(0).logTime,
      messageEndTime: sampleMessage(94).logTime,
    });
    const metadata = await collected(reader.readMetadata());
    expect(metadata.map(({ name }) => name)).toEqual(['part', 'run', 'end']);
    const [attachment] = await collected(reader.readAttachments());
    expect(new TextDecoder().decode(attachment?.data)).toBe('struct');
    const seek = reader.readMessages({ topics: ['/two'], startTime: sampleMessage(50).logTime });
    const first = await seek.next();
    expect(first.value).toMatchObject({ sequence: 51 });
  });

  it('is written in parts of a largest size, each with all that a reader needs', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.mcap');
    const count = 12_000;
    const { parts } = await writeSample(file, count, { perChunk: 500, maxBytes: 4 * mebibyte });
    expect(parts).toBeGreaterThan(1);
    const names = ['a.mcap', ...Array.from({ length: parts - 1 }, (_, i) => `a.${i + 2}.mcap`)];
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
    const sequences: number[] = [];
    for (const [i, name] of names.entries()) {
      const part = path.join(folder, name);
      expect(statSync(part).size).toBeLessThanOrEqual(4 * mebibyte);
      const reader = await indexedReader(part);
      const [number] = await collected(reader.readMetadata({ name: 'part' }));
      expect(number?.metadata.get('number')).toBe(String(i + 1));
      expect(reader.channelsById.size).toBe(2);
      for await (const { sequence } of reader.readMessages()) sequences.push(sequence);
    }
    expect(sequences).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('has a chunk while the disk still synchronizes the one before', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.mcap');
    const other = await open(path.join(folder, 'other'), 'w');
    let fail: (error: Error) => void = () => undefined;
    const synchronized = new Promise<void>((_, reject) => (fail = reject));
    const anyFile = Object.getPrototypeOf(other) as FileHandle;
    vi.spyOn(anyFile, 'datasync').mockReturnValue(synchronized);
    await other.close();
    const onFailed = vi.fn();
    const options = { path: file, head: sampleHead, maxBytes: null, onFailed };
    const recording = await RecordingFile.create(options);
    for (const i of [0, 1]) {
      recording.add(sampleMessage(i));
      recording.flush();
    }
    const messages = async () =>
      (await collected(readRecording(file))).filter(({ kind }) => kind === 'message').length;
    await expect.poll(messages).toBe(2);
    expect(recording.waitingBytes).toBe(0);
    fail(new Error('no space left'));
    await recording.close([]);
    expect(onFailed.mock.calls).toEqual([[new Error('no space left')]]);
  });

  it('synchronizes the disk once per second, not for each chunk, and at the end', async () => {
    const folder = temporaryFolder();
    const other = await open(path.join(folder, 'other'), 'w');
    const anyFile = Object.getPrototypeOf(other) as FileHandle;
    await other.close();
    const datasync = vi.spyOn(anyFile, 'datasync');
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const recording = await RecordingFile.create({
      path: path.join(folder, 'a.mcap'),
      head: sampleHead,
      maxBytes: null,
      onFailed: vi.fn(),
    });
    for (const [i, atMs] of [10, 999, 1000, 1999, 2000].entries()) {
      now.mockReturnValue(atMs);
      recording.add(sampleMessage(i));
      recording.flush();
      await recording.written();
      await Promise.all(datasync.mock.results.map(({ value }) => value as Promise<void>));
    }
    // With the head, at 1000 and at 2000 ms.
    expect(datasync).toHaveBeenCalledTimes(3);
    await recording.close([]);
    expect(datasync).toHaveBeenCalledTimes(4);
  });

  it.each(['a.mcap', 'a.2.mcap', 'a.13.mcap'])(
    'does not overwrite or continue in %s',
    async (name) => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, name), 'mine');
      const options = { head: sampleHead, maxBytes: null, onFailed: () => undefined };
      const made = RecordingFile.create({ ...options, path: path.join(folder, 'a.mcap') });
      await expect(made).rejects.toThrow(`EEXIST: file already exists, open '${folder}/${name}'`);
      expect(readdirSync(folder)).toEqual([name]);
    },
  );

  it('is made beside files whose names are similar', async () => {
    const folder = temporaryFolder();
    const names = ['a.1.mcap', 'a.02.mcap', 'a.2b.mcap', 'ab.2.mcap', 'a.2.txt', 'a.-2.mcap'];
    for (const name of names) writeFileSync(path.join(folder, name), 'mine');
    await writeSample(path.join(folder, 'a.mcap'), 1);
  });

  it('continues in a part after a bounded number of chunks, without a largest size', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.mcap');
    const chunks = vi.spyOn(McapBytes.prototype, 'chunks', 'get');
    chunks.mockReturnValueOnce(mostChunks - 1).mockReturnValueOnce(mostChunks);
    const { parts } = await writeSample(file, 30);
    expect(parts).toBe(2);
    const counts = ['a.mcap', 'a.2.mcap'].map(async (name) => {
      const { statistics } = await indexedReader(path.join(folder, name));
      return statistics?.messageCount;
    });
    expect(await Promise.all(counts)).toEqual([10n, 20n]);
  });

  it('leaves no part behind whose begin it cannot write', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.mcap');
    const other = await open(path.join(temporaryFolder(), 'other'), 'w');
    const anyFile = Object.getPrototypeOf(other) as FileHandle;
    await other.close();
    vi.spyOn(McapBytes.prototype, 'chunks', 'get')
      .mockReturnValueOnce(0)
      .mockReturnValueOnce(mostChunks);
    const onFailed = vi.fn();
    const options = { path: file, head: sampleHead, maxBytes: null, onFailed };
    const recording = await RecordingFile.create(options);
    recording.add(sampleMessage(0));
    recording.flush();
    await recording.written();
    // The end of the first part, then the begin of the second.
    const full = new Error('no space left');
    const write = Reflect.get(anyFile, 'write') as (...args: unknown[]) => Promise<never>;
    let writes = 0;
    vi.spyOn(anyFile, 'write').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
      return ++writes === 1 ? Reflect.apply(write, this, args) : Promise.reject(full);
    });
    recording.add(sampleMessage(1));
    await recording.close([]);
    expect(onFailed.mock.calls).toEqual([[full]]);
    expect(readdirSync(folder)).toEqual(['a.mcap']);
    expect((await indexedReader(file)).statistics?.messageCount).toBe(1n);
  });

  it('reports a part that it cannot make, and has ended the part before', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.mcap');
    const failures: string[] = [];
    const recording = await RecordingFile.create({
      path: file,
      head: sampleHead,
      maxBytes: 4 * mebibyte,
      onFailed: ({ message }) => failures.push(message),
    });
    writeFileSync(path.join(folder, 'a.2.mcap'), 'mine');
    for (let i = 0; i < 12_000; i++) recording.add(sampleMessage(i));
    await recording.close([]);
    expect(failures).toEqual([expect.stringContaining('EEXIST')]);
    expect((await indexedReader(file)).statistics?.messageCount).toBeGreaterThan(0n);
  });
});
