import path from 'node:path';
import { recordedChannels, recordedSchemas } from '../../src/record/channels.js';
import { RecordingFile } from '../../src/record/index.js';
import { TapRecorder } from '../../src/record/tap-recorder.js';
import type { TapRecord } from '../../src/tap/index.js';
import { temporaryFolder } from './temporary-folder.js';

type Metadata = Parameters<RecordingFile['close']>[0];

/** Of a middleware that has ended. */
const closedEnd: Metadata = [{ name: 'end', metadata: new Map([['middleware', 'closed']]) }];

interface Recorded {
  readonly file: string;
  readonly tap: TapRecorder;
}

/** A recording of these records, which come from the tap in batches. */
export function recordTap(...batches: readonly (readonly TapRecord[])[]): Promise<Recorded> {
  return recordTapUntil(closedEnd, ...batches);
}

/** The same with metadata at its end. */
export function recordTapUntil(
  end: Metadata,
  ...batches: readonly (readonly TapRecord[])[]
): Promise<Recorded> {
  return recordTapTo({ file: path.join(temporaryFolder(), 'a.mcap'), end }, ...batches);
}

/** The same in this file. @param clock text that differs from run to run. */
export async function recordTapTo(
  { file, end = closedEnd, clock = '' }: { file: string; end?: Metadata; clock?: string },
  ...batches: readonly (readonly TapRecord[])[]
): Promise<Recorded> {
  const metadata = [{ name: 'middleware', metadata: new Map([['clock', clock]]) }];
  const recording = await RecordingFile.create({
    path: file,
    head: {
      library: 'test',
      attachments: [],
      metadata,
      schemas: recordedSchemas,
      channels: recordedChannels,
    },
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
