import { existsSync } from 'node:fs';
import { HlcError, isHlcError } from '../errors/index.js';
import { CdrReader } from '../messages/index.js';
import { FrameSplitter, RecordReader, type TapRecord } from '../tap/index.js';
import { tapTopic } from './channels.js';
import {
  readRecording,
  type Damage,
  type RecordedMessage,
  type RecordedMetadata,
} from './read-recording.js';
import { partPath } from './recording-file.js';

/** A record of the tap in a recording. */
export interface RecordedTap {
  readonly kind: 'record';
  readonly record: TapRecord;
  /** When it was recorded with some others, ns since 1970 by the monotonic clock. */
  readonly logTimeNs: bigint;
}

/** What a recording says of a run. */
export type TapItem = RecordedTap | RecordedMetadata | Damage;

/**
 * The records of the tap in a recording and in the parts of it that follow, in their order, and the metadata and
 * the damage of the files. Without the metadata `end`, which only a recorder that ends by itself writes, the last item
 * is a `cut`.
 * @throws HlcError `HLC_RECORDING_READ`, also when a file is no recording of a middleware.
 */
export async function* readTap(first: string): AsyncGenerator<TapItem, void, void> {
  const reader = new RecordReader();
  let records = 0;
  /** Damage was reported since the last message. */
  let isReported = false;
  let hasEnd = false;
  const run = await runOf(first);
  for (let part = 1; part === 1 || (await isOfRun(partPath(first, part), run)); part++) {
    const file = partPath(first, part);
    for await (const item of readRecording(file)) {
      if (item.kind === 'message' && item.channel.topic === tapTopic) {
        const { found, orphans } = recordsOf(item, reader, file);
        // A recovered file has not even the broken part.
        if (orphans > 0 && !isReported) yield { kind: 'broken', offset: 0, bytes: 0 };
        isReported = false;
        records += found.length;
        yield* found;
      } else if (item.kind === 'metadata' || item.kind === 'cut' || item.kind === 'broken') {
        isReported ||= item.kind === 'broken';
        hasEnd ||= item.kind === 'metadata' && item.metadata.name === 'end';
        yield item;
      }
    }
  }
  if (records === 0) {
    throw new HlcError('HLC_RECORDING_READ', { file: first, cause: `it has no topic ${tapTopic}` });
  }
  if (!hasEnd) yield { kind: 'cut', offset: 0, bytes: 0 };
}

/** Both clocks at the begin of the recording: each recording has others. Undefined when the file has none. */
async function runOf(file: string): Promise<string | undefined> {
  for await (const item of readRecording(file)) {
    if (item.kind === 'message') return undefined;
    if (item.kind !== 'metadata' || item.metadata.name !== 'middleware') continue;
    return item.metadata.metadata.get('clock');
  }
  return undefined;
}

/**
 * A file is the next part: it may also be another recording, `drive.2.mcap` beside `drive.mcap`. After a power cut it
 * may be empty, which is no reason not to read the parts before.
 */
async function isOfRun(file: string, run: string | undefined): Promise<boolean> {
  if (!existsSync(file)) return false;
  try {
    return (await runOf(file)) === run;
  } catch (error) {
    const hasNoContent = isHlcError(error) && error.cause === undefined;
    if (hasNoContent) return false;
    throw error;
  }
}

function recordsOf(
  { message }: RecordedMessage,
  reader: RecordReader,
  file: string,
): { readonly found: readonly RecordedTap[]; readonly orphans: number } {
  try {
    const frames = new FrameSplitter().push(Buffer.from(new CdrReader(message.data).octets()));
    const logTimeNs = message.logTime;
    const found: RecordedTap[] = [];
    for (const frame of frames) {
      if (reader.isOrphan(frame)) continue;
      found.push({ kind: 'record', record: reader.read(frame), logTimeNs });
    }
    return { found, orphans: frames.length - found.length };
  } catch (error) {
    const cause = `a record of another version: ${(error as Error).message}`;
    throw new HlcError('HLC_RECORDING_READ', { file, cause }, { cause: error });
  }
}
