import type { McapTypes } from '@mcap/core';
import { HlcError, isHlcError } from '../errors/index.js';
import { awaitTap, type TapConnection } from '../observe/index.js';
import { TapFormatError } from '../tap/index.js';
import { recordedChannels, recordedSchemas } from './channels.js';
import { RecordingFile } from './recording-file.js';
import { TapRecorder } from './tap-recorder.js';

/** A file that a recording contains. */
export interface AttachedFile {
  /** For example `idl/VehicleState.idl`. */
  readonly name: string;
  readonly mediaType: string;
  readonly data: Uint8Array;
}

export interface RecorderOptions {
  /** Path of the recording; it must not exist. */
  readonly file: string;
  /** Path of the tap, see `tapPathOf`. */
  readonly tap: string;
  /** As `RecordingFileOptions.maxBytes`. */
  readonly maxBytes: number | null;
  /** Longest wait for the tap, ms; 0: no limit. */
  readonly waitMs: number;
  /** Of this program. */
  readonly version: string;
  /** IDL files, QoS, configuration. */
  readonly attachments: readonly AttachedFile[];
  /** The arguments of the command line. */
  readonly flags: readonly string[];
  /** Ends the recording. */
  readonly stopped: AbortSignal;
  /** Called once, when the begin of the recording is in the file: from now on all is recorded. */
  readonly onRecording: () => void;
}

/** What a recording has. */
export interface RecorderResult {
  readonly parts: number;
  readonly messages: number;
  /** Records that the recorder was too slow for. */
  readonly dropped: number;
  /** The middleware ended without closing its tap. */
  readonly lost: boolean;
}

/**
 * Pause between two reads of the tap, ms. Each read is closed as a chunk and written at once. So a message is
 * in the file, where it survives the end of this program, at the latest after
 *
 * - 35 ms in the tap (`batchMs` and `longestAfterStartMs` there),
 * - this pause,
 * - the delay of two wake-ups: of this thread, and of the thread that writes.
 *
 * A recorder that is killed may lose 200 ms. Of these, 105 ms are left for both wake-ups; a late one is not
 * added to a wait for the end of a chunk. A shorter pause costs processor time.
 */
const pauseMs = 60;

/** When the disk lags behind by this many bytes, the tap is read no further, and counts what it drops. */
const mostWaitingBytes = 32 * 1024 * 1024;

/**
 * Records a middleware until it ends or `stopped` aborts.
 * @throws HlcError `HLC_RECORDING_WRITE`, `HLC_TAP_NOBODY`, `HLC_TAP_CONNECT`, `HLC_TAP_FULL`,
 *   `HLC_TAP_VERSION`, `HLC_TAP_FORMAT`.
 */
export async function runRecorder(options: RecorderOptions): Promise<RecorderResult> {
  const { file, tap, waitMs, stopped } = options;
  const connection = await awaitTap(tap, { waitMs, stopped, pauseMs });
  connection.needAll();
  const close = () => connection.close();
  stopped.addEventListener('abort', close);
  let failure: Error | undefined;
  const onFailed = (error: Error) => {
    failure = error;
    close();
  };
  const refuse = (error: Error) =>
    new HlcError('HLC_RECORDING_WRITE', { file, cause: error.message }, { cause: error });
  try {
    const recording = await create(options, connection, onFailed).catch((error: unknown) => {
      throw refuse(error as Error);
    });
    const recorder = new TapRecorder(recording);
    const lost = await copy(options, connection, recorder, recording).catch(
      async (error: unknown) => {
        // What came before stays readable.
        await recording.close(lastMetadata(recorder, true));
        throw error;
      },
    );
    await recording.close(lastMetadata(recorder, lost));
    if (failure !== undefined) throw refuse(failure);
    const sum = (counts: ReadonlyMap<string, number>) =>
      [...counts.values()].reduce((total, count) => total + count, 0);
    const { parts } = recording;
    return { parts, messages: sum(recorder.written), dropped: sum(recorder.dropped), lost };
  } finally {
    stopped.removeEventListener('abort', close);
    close();
  }
}

function create(
  { file, maxBytes, version, attachments, flags }: RecorderOptions,
  { hello }: TapConnection,
  onFailed: (error: Error) => void,
): Promise<RecordingFile> {
  const { realtimeNs: nowNs } = hello.clock;
  const middleware = new Map(
    Object.entries(hello).map(([name, value]) => [name, plainText(value)] as const),
  );
  return RecordingFile.create({
    path: file,
    head: {
      library: `hlc-middleware ${version}`,
      schemas: recordedSchemas,
      channels: recordedChannels,
      metadata: [
        { name: 'middleware', metadata: middleware },
        { name: 'recorder', metadata: new Map([['flags', flags.join(' ')]]) },
      ],
      attachments: attachments.map((each) => ({ ...each, logTime: nowNs, createTime: nowNs })),
    },
    maxBytes,
    onFailed,
  });
}

/** @returns true when the middleware ended without closing its tap. */
async function copy(
  { tap, onRecording }: RecorderOptions,
  connection: TapConnection,
  recorder: TapRecorder,
  recording: RecordingFile,
): Promise<boolean> {
  let isBegun = false;
  try {
    for await (const frames of connection.frames()) {
      recorder.add(frames);
      recording.flush();
      if (!isBegun || recording.waitingBytes > mostWaitingBytes) await recording.written();
      if (!isBegun) onRecording();
      isBegun = true;
    }
    return false;
  } catch (error) {
    if (isHlcError(error) && error.code === 'HLC_TAP_LOST') return true;
    if (!(error instanceof TapFormatError)) throw error;
    throw new HlcError('HLC_TAP_FORMAT', { path: tap, cause: error.message }, { cause: error });
  }
}

function lastMetadata(recorder: TapRecorder, lost: boolean): McapTypes.Metadata[] {
  const counts = (all: ReadonlyMap<string, number>) =>
    new Map([...all].map(([name, count]) => [name, String(count)]));
  return [
    { name: 'written', metadata: counts(recorder.written) },
    { name: 'dropped', metadata: counts(recorder.dropped) },
    { name: 'end', metadata: new Map([['middleware', lost ? 'lost' : 'closed']]) },
  ];
}

function plainText(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, each: unknown) =>
        typeof each === 'bigint' ? each.toString() : each,
      );
}
