import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRecording, readTap } from '../../../src/record/index.js';
import type { ChildProgram } from '../../support/child-program.js';
import {
  collected,
  errorOf,
  expectWholeRecording,
  RecordedLab,
} from '../../support/recorded-lab.js';

/** Settles with the next status line of a run that goes on. */
async function untilRunningOn({ stdout }: ChildProgram): Promise<void> {
  const isRunning = (line: string) => line.startsWith('running');
  const before = stdout.items.filter(isRunning).length;
  let count = 0;
  await stdout.until((line) => isRunning(line) && ++count > before);
}

/** Settles when a run has made so many further steps, at whatever speed. */
async function untilStepped({ stdout }: ChildProgram, steps: number): Promise<void> {
  const stepsOf = (line = '') => Number(/(\d+) start signals/.exec(line)?.[1] ?? 0);
  const before = stepsOf(stdout.items.at(-1));
  for (let reached = before; reached < before + steps;) {
    const last = reached;
    reached = stepsOf(await stdout.until((line) => stepsOf(line) > last));
  }
}

/** Number of records of the tap. */
async function recordsOf(file: string): Promise<number> {
  let records = 0;
  for await (const { kind } of readTap(file)) if (kind === 'record') records++;
  return records;
}

/** A run in simulated time whose recorder is suspended from its begin on. */
async function withSuspendedRecorder(periods: number) {
  const lab = new RecordedLab();
  const recorder = await lab.waitingRecorder('run.mcap');
  lab.controller();
  const run = lab.play('--simulated-time', `--periods=${periods}`);
  await recorder.stdout.until((line) => line.startsWith('recording'));
  recorder.signal('SIGSTOP');
  return { lab, recorder, run };
}

describe('A recorder', () => {
  // test/interop/timed measures how much of the end is lost.
  it('keeps what it has written when it is killed, and the file is recovered', async () => {
    const lab = new RecordedLab();
    lab.controller();
    const run = lab.play('--periods=100000', '--period-ms=20', '--miss-policy=log');
    const recorder = lab.record('run.mcap', '--wait-ms=30000');
    await run.stdout.until((line) => line.startsWith('running'));
    await recorder.stdout.until((line) => line.startsWith('recording'));
    const marked = lab.mark('before the end');
    expect(await marked.ended).toEqual({ code: 0, signal: null });
    const file = lab.file('run.mcap');
    // Some chunks later.
    const size = statSync(file).size;
    while (statSync(file).size < size + 100_000) {
      await untilRunningOn(run);
    }
    const written = statSync(file).size;
    recorder.signal('SIGKILL');
    await recorder.ended;
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(statSync(file).size).toBeGreaterThanOrEqual(written);

    const kept = await recordsOf(file);
    expect(kept).toBeGreaterThan(1000);
    const recover = lab.start('record', 'recover', file);
    expect(await recover.ended).toEqual({ code: 0, signal: null });
    const items = await collected(readRecording(lab.file('run.recovered.mcap')));
    expect(items.some(({ kind }) => kind === 'cut')).toBe(false);
    expect(await recordsOf(lab.file('run.recovered.mcap'))).toBe(kept);
    const marks = items.filter(
      (item) => item.kind === 'message' && item.channel.topic === '/hlc_middleware/marks',
    );
    expect(marks).toHaveLength(1);
  });

  it('that is stopped in simulated time has everything when it goes on', async () => {
    const { lab, recorder, run } = await withSuspendedRecorder(1500);
    await run.stderr.until((line) => line.includes('waits for a recorder'));
    recorder.signal('SIGCONT');
    await expectWholeRecording(lab, run, recorder);
  });

  it('that stays stopped in simulated time is not waited for, and counts what it loses', async () => {
    const { recorder, run } = await withSuspendedRecorder(1_000_000);
    const isGivenUp = (line: string) => line.includes('simulated time no longer waits');
    await run.stderr.until(isGivenUp);
    // Time goes on, and more comes than waits for a reader.
    await untilStepped(run, 1000);
    recorder.signal('SIGCONT');
    await untilStepped(run, 100);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(await recorder.ended).toEqual({ code: 0, signal: null });
    expect(recorder.stdout.items.join('\n')).toMatch(/[1-9]\d* records were dropped by the tap/);
    expect(run.stderr.items.filter(isGivenUp)).toHaveLength(1);
  });

  it('ends with a sentence when the disk is full; the file is complete, the run continues', async () => {
    const lab = new RecordedLab();
    lab.controller();
    const run = lab.play('--periods=100000', '--period-ms=20', '--miss-policy=log');
    // A file of this process has 200 KiB at most.
    const limited = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh'];
    await run.stdout.until((line) => line.startsWith('running'));
    const recorder = lab.recordThrough(limited, 'run.mcap');
    expect(await recorder.ended).toEqual({ code: 1, signal: null });
    expect(errorOf(recorder)).toMatch(/cannot be written \(.*\[HLC_RECORDING_WRITE\]$/);
    await untilRunningOn(run);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
    const items = await collected(readRecording(lab.file('run.mcap')));
    expect(items.some(({ kind }) => kind === 'cut' || kind === 'broken')).toBe(false);
    expect(items.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(100);
    const kinds = [];
    for await (const { kind } of readTap(lab.file('run.mcap'))) kinds.push(kind);
    expect(kinds.at(-1)).toBe('cut');
  });
});
