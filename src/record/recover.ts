import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { McapTypes } from '@mcap/core';
import { HlcError } from '../errors/index.js';
import { readRecording, type RecordingItem } from './read-recording.js';
import { partPath, RecordingFile } from './recording-file.js';

/** The result of a recovery. */
export interface Recovery {
  readonly messages: number;
  /** Bytes at the end of the file that hold nothing readable. */
  readonly cutBytes: number;
  /** Records in the file that are broken, and their bytes. */
  readonly brokenRecords: number;
  readonly brokenBytes: number;
  /** The next part of the recording, which is not in the result; undefined when there is none. */
  readonly nextPart: string | undefined;
}

/** The metadata that say what a recovery has left out, and one of their names. */
export const recoveredName = 'recovered';
export const brokenRecordsName = 'broken_records';

/** What stands before the first message of a recording of this program. */
interface Head {
  readonly schemas: McapTypes.Schema[];
  readonly channels: McapTypes.Channel[];
  readonly attachments: McapTypes.Attachment[];
  readonly metadata: McapTypes.Metadata[];
}

/** The disk may lag behind by this, bytes. */
const mostWaitingBytes = 16 * 1024 * 1024;

/** A chunk has the messages of this time, ns, as in a recording. */
const chunkNs = 100_000_000n;

/**
 * Writes everything readable of one file of a recording to a new file with its indexes, and what was left out to its
 * metadata. The recording itself stays as it is.
 * @param library name and version of this program.
 * @throws HlcError `HLC_RECORDING_READ`, `HLC_RECORDING_WRITE`.
 */
export async function recoverRecording(
  file: string,
  output: string,
  library: string,
): Promise<Recovery> {
  const head = await headOf(file);
  let failure: Error | undefined;
  const refuse = (error: Error) =>
    new HlcError('HLC_RECORDING_WRITE', { file: output, cause: error.message }, { cause: error });
  const onFailed = (error: Error) => {
    failure = error;
  };
  const target = await RecordingFile.create({
    path: output,
    head: { library, ...head },
    maxBytes: null,
    onFailed,
  }).catch((error: unknown) => {
    throw refuse(error as Error);
  });
  const recovery = { messages: 0, cutBytes: 0, brokenRecords: 0, brokenBytes: 0 };
  const later: McapTypes.Metadata[] = [];
  let chunkAtNs: bigint | undefined;
  for await (const item of readRecording(file)) {
    if (item.kind === 'message') {
      recovery.messages++;
      const { logTime } = item.message;
      chunkAtNs ??= logTime;
      if (logTime - chunkAtNs >= chunkNs) {
        target.flush();
        chunkAtNs = logTime;
      }
      target.add(item.message);
      if (target.waitingBytes > mostWaitingBytes) await target.written();
    } else if (item.kind === 'metadata') {
      const { name } = item.metadata;
      const isWritten = name === 'part' || head.metadata.some((each) => each.name === name);
      if (!isWritten) later.push(item.metadata);
    } else {
      count(recovery, item);
    }
    if (failure !== undefined) break;
  }
  const { cutBytes, brokenRecords, brokenBytes } = recovery;
  const leftOut = {
    cut_bytes: cutBytes,
    [brokenRecordsName]: brokenRecords,
    broken_bytes: brokenBytes,
  };
  const metadata = new Map(Object.entries(leftOut).map(([name, count]) => [name, String(count)]));
  await target.close([...later, { name: recoveredName, metadata }]);
  const next = partPath(file, 2);
  if (failure === undefined) return { ...recovery, nextPart: existsSync(next) ? next : undefined };
  await rm(output, { force: true });
  throw refuse(failure);
}

function count(
  recovery: { cutBytes: number; brokenRecords: number; brokenBytes: number },
  item: RecordingItem,
): void {
  if (item.kind === 'cut') recovery.cutBytes += item.bytes;
  if (item.kind !== 'broken') return;
  recovery.brokenRecords++;
  recovery.brokenBytes += item.bytes;
}

/** All schemas and channels of a recording, and its first attachments and metadata. */
async function headOf(file: string): Promise<Head> {
  const head: Head = { schemas: [], channels: [], attachments: [], metadata: [] };
  const known = new Set<string>();
  const isNew = (key: string) => !known.has(key) && known.add(key);
  let begun = false;
  for await (const item of readRecording(file)) {
    begun ||= item.kind === 'message';
    if (item.kind === 'schema' && isNew(`schema ${item.schema.id}`)) head.schemas.push(item.schema);
    if (item.kind === 'channel' && isNew(`channel ${item.channel.id}`)) {
      head.channels.push(item.channel);
    }
    if (item.kind === 'attachment') head.attachments.push(item.attachment);
    // The new file names its own part.
    const isKept = item.kind === 'metadata' && item.metadata.name !== 'part';
    if (isKept && !begun) head.metadata.push(item.metadata);
  }
  return head;
}
