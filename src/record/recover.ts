import { rm } from 'node:fs/promises';
import type { McapTypes } from '@mcap/core';
import { HlcError } from '../errors/index.js';
import { readRecording, type RecordingItem } from './read-recording.js';
import { RecordingFile } from './recording-file.js';

/** The result of a recovery. */
export interface Recovery {
  readonly messages: number;
  /** Bytes at the end of the file that hold nothing readable. */
  readonly cutBytes: number;
  /** Records in the file that are broken, and their bytes. */
  readonly brokenRecords: number;
  readonly brokenBytes: number;
}

/** What stands before the first message of a recording of this program. */
interface Head {
  readonly schemas: McapTypes.Schema[];
  readonly channels: McapTypes.Channel[];
  readonly attachments: McapTypes.Attachment[];
  readonly metadata: McapTypes.Metadata[];
}

/** The disk may lag behind by this, bytes. */
const mostWaitingBytes = 16 * 1024 * 1024;

/**
 * Writes everything readable of a recording to a new file with its end and its indexes. The recording
 * itself stays as it is.
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
  for await (const item of readRecording(file)) {
    if (item.kind === 'message') {
      recovery.messages++;
      target.add(item.message);
      if (target.waitingBytes > mostWaitingBytes) await target.written();
    } else if (item.kind === 'metadata') {
      if (!head.metadata.some(({ name }) => name === item.metadata.name)) later.push(item.metadata);
    } else {
      count(recovery, item);
    }
    if (failure !== undefined) break;
  }
  await target.close(later);
  if (failure === undefined) return recovery;
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
    if (item.kind === 'metadata' && !begun) head.metadata.push(item.metadata);
  }
  return head;
}
