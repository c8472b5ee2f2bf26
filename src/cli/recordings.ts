import { existsSync, realpathSync, writeFileSync } from 'node:fs';

import type { CompareValues, RecordValues, ReplayValues, RunConfig } from '../config/index.js';
import { toMs } from '../core/index.js';
import { shareCores } from '../dds/index.js';
import { defaultQosFile } from '../dds/qos/index.js';
import { ExitCode, HlcError, signalExitCodes, type EndSignal } from '../errors/index.js';
import { watchSignals } from '../node/index.js';
import { contractFiles, partPath, recoverRecording, runRecorder } from '../record/index.js';
import {
  analyseRun,
  compareRuns,
  comparisonPage,
  comparisonText,
  controllerText,
  isSame,
  junitOf,
  replayRules,
  reportPage,
  rulesText,
  runControllerReplay,
  runPageReplay,
} from '../replay/index.js';
import { sideNetwork } from '../sides/index.js';
import { tapPathOf } from '../tap/index.js';

/** Where the text of a command goes. */
interface Output {
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly writeError: (text: string) => void;
}

/** What `hlc-middleware record` was given. */
export interface RecordRequest {
  readonly file: string;
  readonly config: RunConfig;
  readonly values: RecordValues;
  readonly flags: readonly string[];
  readonly version: string;
}

/** What a recorder writes to standard output when it records; a parent process waits for it. */
const recordingLine = 'recording';

/**
 * Records until the middleware ends, a signal arrives, or, with `endWithStdin`, standard input ends.
 * @returns the exit code: 1 when the middleware was lost.
 * @throws HlcError as `runRecorder`.
 */
export async function recordRun(
  { file, config, values, flags, version }: RecordRequest,
  { write, writeError }: Output,
): Promise<number> {
  const { controlSocket } = config.output;
  if (controlSocket === null) throw new HlcError('HLC_CONTROL_OFF', {});
  shareCores('observer');
  const tap = tapPathOf(controlSocket.path);
  // Standard input keeps the process from here on: what can fail comes before.
  const attachments = contractFiles(config.sides.qosFile ?? defaultQosFile);
  const end = new EndRequest(values.endWithStdin);
  const result = await runRecorder({
    file,
    tap,
    maxBytes: values.maxSize ?? null,
    waitMs: toMs(values.waitMs),
    version,
    attachments,
    flags,
    stopped: end.signal,
    onRecording: () => {
      end.recording();
      write(`${recordingLine} ${tap} to ${file}\n`);
    },
  }).finally(() => end.close());
  const { messages, parts, dropped, lost } = result;
  const files = parts === 1 ? '' : ` in ${parts} files`;
  const losses = dropped === 0 ? '' : `; ${dropped} records were dropped by the tap`;
  write(`${messages} messages recorded${files}${losses}\n`);
  if (!lost) return ExitCode.ok;
  const { code, message } = new HlcError('HLC_TAP_LOST', { path: tap });
  writeError(`hlc-middleware: ${message} The recording is complete up to there. [${code}]\n`);
  return ExitCode.failure;
}

/** The tap of a middleware that was killed ends within this time after it, ms. */
const tapEndMs = 1000;

/**
 * Aborts with a signal, or, `withStdin`, with the end of standard input. On a terminal Ctrl-C reaches the
 * recorder of a run together with the run, whose braking and end are still to be recorded: its
 * signals are ignored.
 */
class EndRequest {
  readonly #controller = new AbortController();
  #isRecording = false;

  constructor(private readonly withStdin: boolean) {
    const abort = () => this.#controller.abort();
    const onSignal = withStdin ? () => undefined : abort;
    for (const signal of Object.keys(signalExitCodes) as EndSignal[]) process.on(signal, onSignal);
    // With the middleware its tap ends, too: what is left in it is recorded, and why it ended.
    const onInputEnd = () => {
      if (this.#isRecording) setTimeout(abort, tapEndMs).unref();
      else abort();
    };
    if (withStdin) process.stdin.on('end', onInputEnd).on('error', onInputEnd).resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** There is a tap. */
  recording(): void {
    this.#isRecording = true;
  }

  /** Standard input keeps the process alive no longer. */
  close(): void {
    if (this.withStdin) process.stdin.destroy();
  }
}

/** @throws HlcError `HLC_RECORDING_READ`, `HLC_RECORDING_WRITE`. */
export async function recover(
  file: string,
  output: string | undefined,
  version: string,
  { write }: Output,
): Promise<void> {
  const target = output ?? withEnding(file, '.recovered.mcap');
  const recovery = await recoverRecording(file, target, `hlc-middleware ${version}`);
  const { messages, cutBytes, brokenRecords, brokenBytes, nextPart } = recovery;
  write(`${target}: ${messages} messages recovered\n`);
  if (cutBytes > 0) write(`${cutBytes} bytes at the end of ${file} are incomplete\n`);
  if (brokenRecords > 0) {
    write(
      `${brokenRecords} records with ${brokenBytes} bytes of ${file} are broken and left out\n`,
    );
  }
  if (nextPart === undefined) return;
  write(`${nextPart} is not in it: recover it with --output=${partPath(target, 2)}\n`);
}

/**
 * @returns true when all effects are the same.
 * @throws HlcError `HLC_RECORDING_READ`.
 */
export async function replayToRules(
  file: string,
  { json }: ReplayValues,
  { write }: Output,
): Promise<boolean> {
  const report = await replayRules(file);
  write(json ? `${JSON.stringify({ file, ...report }, null, 2)}\n` : rulesText(file, report));
  return report.same;
}

/**
 * @returns true when all commands are the same.
 * @throws HlcError as `runControllerReplay`, and `HLC_RESULT_WRITE`.
 */
export async function replayController(
  file: string,
  config: RunConfig,
  { controller, tolerance, stepTimeoutMs, junit, json }: ReplayValues,
  { write, writeError }: Output,
): Promise<boolean> {
  const report = await runControllerReplay(
    {
      file,
      network: await sideNetwork(config.sides.controller),
      command: controller === undefined || controller === 'running' ? null : controller,
      tolerances: tolerance,
      stepTimeoutMs: toMs(stepTimeoutMs),
      readyTimeoutMs: toMs(config.session.readyTimeoutNs ?? 0n),
    },
    (text) => writeError(`${text}\n`),
  );
  if (junit !== undefined) writeText(junit, junitOf(report), file);
  write(json ? `${JSON.stringify(report, null, 2)}\n` : controllerText(report));
  return isSame(report);
}

/**
 * Shows a recording on a page until a signal arrives.
 * @returns the exit code of the process.
 * @throws HlcError as `runPageReplay`.
 */
export async function replayToPage(
  file: string,
  { interruptExitCode }: RunConfig,
  { port }: ReplayValues,
  { write }: Output,
): Promise<number> {
  const signals = watchSignals(interruptExitCode, () => undefined);
  try {
    await runPageReplay({
      file,
      port,
      stopped: signals.stopped,
      onListening: ({ address, controlAddress }) => {
        write(`page with controls: ${controlAddress}\npage to look at: ${address}\n`);
      },
    });
    return signals.exitCode(ExitCode.ok);
  } finally {
    await signals.close();
  }
}

/** @throws HlcError `HLC_RECORDING_READ`, `HLC_RESULT_WRITE`. */
export async function compare(
  a: string,
  b: string,
  { json, page }: CompareValues,
  { write }: Output,
): Promise<void> {
  const [one, other] = [await analyseRun(a), await analyseRun(b)];
  if (page !== undefined) writeText(page, comparisonPage(one, other), a, b);
  const comparison = compareRuns(one, other);
  write(json ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison));
}

/** @throws HlcError `HLC_RECORDING_READ`, `HLC_RESULT_WRITE`. */
export async function report(
  file: string,
  output: string | undefined,
  version: string,
  { write }: Output,
): Promise<void> {
  const target = output ?? withEnding(file, '.html');
  writeText(target, reportPage(await analyseRun(file), version), file);
  write(`${target}\n`);
}

function withEnding(file: string, ending: string): string {
  return `${file.replace(/\.mcap$/, '')}${ending}`;
}

/**
 * Overwrites a file that exists, but not these recordings.
 * @throws HlcError `HLC_RESULT_WRITE`.
 */
function writeText(file: string, text: string, ...recordings: readonly string[]): void {
  const isRecording = (recording: string) => realpathSync(recording) === realpathSync(file);
  if (existsSync(file) && recordings.some(isRecording)) {
    throw new HlcError('HLC_RESULT_WRITE', { file, cause: 'it is the recording' });
  }
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new HlcError('HLC_RESULT_WRITE', { file, cause: (cause as Error).message }, { cause });
  }
}
