import { readFileSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { recordedChannels, recordedSchemas } from '../../../src/record/channels.js';
import { readRecording, RecordingFile, recoverRecording } from '../../../src/record/index.js';
import { TapRecorder } from '../../../src/record/tap-recorder.js';
import { analyseRun, replayRules } from '../../../src/replay/index.js';
import { noticesOf } from '../../../src/replay/run-analysis.js';
import { recordTap, recordTapUntil } from '../../support/recorded-tap.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../../support/tapped-run.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { indexedReader } from '../record/sample-recording.js';
import { ScriptRecords } from './script-records.js';

const cut = 'The recording was cut: it has no end.';
const oneChunk = '1 chunk of the recording cannot be read: what they had is missing.';
const end = [{ name: 'end', metadata: new Map([['middleware', 'closed']]) }];

/** A recording of a run with a chunk for each step, that is open. */
async function record() {
  const file = path.join(temporaryFolder(), 'a.mcap');
  const onFailed = vi.fn();
  const head = { library: 'test', attachments: [], metadata: [] };
  const recording = await RecordingFile.create({
    path: file,
    head: { ...head, schemas: recordedSchemas, channels: recordedChannels },
    maxBytes: null,
    onFailed,
  });
  const tap = new TapRecorder(recording);
  const script = new ScriptRecords([1]);
  for (let step = 0; step < 20; step++) {
    script.step(step, []);
    tap.add(Buffer.concat(script.records.splice(0).map(({ frame }) => frame)));
    recording.flush();
  }
  await recording.written();
  return { file, recording, onFailed };
}

const notices = async (file: string) => noticesOf(await analyseRun(file));

async function recovered(file: string): Promise<string> {
  const target = path.join(temporaryFolder(), 'recovered.mcap');
  await recoverRecording(file, target, 'test');
  for await (const { kind } of readRecording(target)) expect(['cut', 'broken']).not.toContain(kind);
  return target;
}

it('a recording without its last parts was cut', async () => {
  const { file, recording } = await record();
  await recording.close([]);
  expect(await notices(file)).toEqual([cut]);
});

it.each([0, 5, 50])(
  'a part of %d bytes after a power cut leaves the others readable',
  async (size) => {
    const { file, recording } = await record();
    await recording.close([]);
    writeFileSync(file.replace('.mcap', '.2.mcap'), Buffer.alloc(size));
    const run = await analyseRun(file);
    expect(run.startSignals).toBe(20);
    expect(noticesOf(run)).toEqual([cut]);
  },
);

it('a recording whose disk was full was cut, although its file has an end', async () => {
  const { file, recording, onFailed } = await record();
  const other = await open(path.join(temporaryFolder(), 'other'), 'w');
  const anyFile = Object.getPrototypeOf(other) as FileHandle;
  await other.close();
  const write = vi.spyOn(anyFile, 'write').mockRejectedValueOnce(new Error('no space left'));
  onTestFinished(() => write.mockRestore());
  await recording.close(end);
  expect(onFailed).toHaveBeenCalledOnce();
  for await (const { kind } of readRecording(file)) expect(kind).not.toBe('cut');
  expect(await notices(file)).toEqual([cut]);
});

it('a recording that was cut and recovered says so', async () => {
  const { file, recording } = await record();
  const bytes = readFileSync(file);
  await recording.close(end);
  writeFileSync(file, bytes.subarray(0, bytes.length - 10));
  expect(await notices(await recovered(file))).toEqual([cut]);
});

it('a recording that was recovered says what it lacks', async () => {
  const { file, recording } = await record();
  await recording.close(end);
  expect(await notices(await recovered(file))).toEqual([]);
  const { chunkIndexes } = await indexedReader(file);
  const { chunkStartOffset = 0n, chunkLength = 0n } = chunkIndexes[10] ?? {};
  const bytes = readFileSync(file);
  bytes.fill(0, Number(chunkStartOffset) + 60, Number(chunkStartOffset + chunkLength));
  writeFileSync(file, bytes);
  expect(await notices(file)).toEqual([oneChunk]);
  const once = await recovered(file);
  expect(await notices(once)).toEqual([oneChunk]);
  expect(await notices(await recovered(once))).toEqual([oneChunk]);
});

it('a replay to the rules does not count a recording that was cut as whole', async () => {
  const recorder = new FrameRecorder();
  await eventfulRun(new TappedNode('--vehicle-ids=1', recorder), false);
  const records = recorder.records();
  const whole = await recordTap(records);
  expect(await replayRules(whole.file)).toMatchObject({ same: true, incomplete: [] });
  const { file } = await recordTapUntil([], records);
  const incomplete = ['The recording was cut: it has no end'];
  expect(await replayRules(file)).toMatchObject({ same: false, difference: null, incomplete });
});

it('a recovery names the next part, which it does not read', async () => {
  const { file, recording } = await record();
  await recording.close([]);
  const next = file.replace('.mcap', '.2.mcap');
  const recover = (name: string) => recoverRecording(file, path.join(temporaryFolder(), name), '');
  expect((await recover('b.mcap')).nextPart).toBeUndefined();
  writeFileSync(next, '');
  expect((await recover('c.mcap')).nextPart).toBe(next);
});
