import { existsSync } from 'node:fs';
import { HlcError } from '../errors/index.js';
import { CdrReader } from '../messages/index.js';
import { RecordReader, type TapRecord } from '../tap/index.js';
import { tapTopic } from './channels.js';
import { readRecording, type Damage, type RecordedMessage } from './read-recording.js';
import { partPath } from './recording-file.js';

/** A record of the tap in a recording. */
export interface RecordedTap {
  readonly kind: 'record';
  readonly record: TapRecord;
  /** Time of the recording, ns since 1970 by the monotonic clock. */
  readonly logTimeNs: bigint;
}

/**
 * The records of the tap in a recording and in the parts that follow it, in their order, and the damage
 * of the files.
 * @throws HlcError `HLC_RECORDING_READ`, also when a file is no recording of a middleware.
 */
export async function* readTap(first: string): AsyncGenerator<RecordedTap | Damage, void, void> {
  const reader = new RecordReader();
  let records = 0;
  for (let part = 1; part === 1 || existsSync(partPath(first, part)); part++) {
    const file = partPath(first, part);
    for await (const item of readRecording(file)) {
      if (item.kind === 'message' && item.channel.topic === tapTopic) {
        records++;
        yield recordOf(item, reader, file);
      } else if (item.kind === 'cut' || item.kind === 'broken') {
        yield item;
      }
    }
  }
  if (records > 0) return;
  throw new HlcError('HLC_RECORDING_READ', { file: first, cause: `it has no topic ${tapTopic}` });
}

function recordOf({ message }: RecordedMessage, reader: RecordReader, file: string): RecordedTap {
  try {
    const frame = new CdrReader(message.data).octets();
    return { kind: 'record', record: reader.read(frame), logTimeNs: message.logTime };
  } catch (error) {
    const cause = `a record of another version: ${(error as Error).message}`;
    throw new HlcError('HLC_RECORDING_READ', { file, cause }, { cause: error });
  }
}
