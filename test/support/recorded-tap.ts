import path from 'node:path';
import { recordedChannels, recordedSchemas } from '../../src/record/channels.js';
import { RecordingFile } from '../../src/record/index.js';
import { TapRecorder } from '../../src/record/tap-recorder.js';
import type { TapRecord } from '../../src/tap/index.js';
import { temporaryFolder } from './temporary-folder.js';

/** A recording of these records, which come from the tap in batches. */
export function recordTap(
  ...batches: readonly (readonly TapRecord[])[]
): Promise<{ file: string; tap: TapRecorder }> {
  return recordTapUntil([], ...batches);
}

/** The same with metadata at its end. */
export async function recordTapUntil(
  end: Parameters<RecordingFile['close']>[0],
  ...batches: readonly (readonly TapRecord[])[]
): Promise<{ file: string; tap: TapRecorder }> {
  const file = path.join(temporaryFolder(), 'a.mcap');
  const head = { library: 'test', attachments: [], metadata: [] };
  const recording = await RecordingFile.create({
    path: file,
    head: { ...head, schemas: recordedSchemas, channels: recordedChannels },
    maxBytes: null,
    onFailed: (error) => {
      throw error;
    },
  });
  const tap = new TapRecorder(recording);
  for (const records of batches) tap.add(Buffer.concat(records.map(({ frame }) => frame)));
  await recording.close(end);
  return { file, tap };
}
