import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../../src/node/index.js';
import { readRecording, readTap, type RecordingItem } from '../../../src/record/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

const gainController = fileURLToPath(new URL('../../peers/gain-controller.mjs', import.meta.url));

/** A lab in a folder of its own, with a control socket, so that there is a tap. */
class RecordedLab {
  readonly folder = temporaryFolder();
  readonly lab: TestLab = openTestLab();
  readonly #socket = `--control-socket=${path.join(this.folder, 'a.sock')}`;

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** `hlc-middleware` with these arguments and the control socket of this lab. */
  start(...args: string[]): ChildProgram {
    return this.startThrough([], ...args);
  }

  startThrough(through: readonly string[], ...args: string[]): ChildProgram {
    const words = [...through, process.execPath, cliProgram, ...args];
    const [program = '', ...rest] = words;
    return new ChildProgram(args.join(' '), program, rest, loopbackUri(this.lab.uri));
  }

  /** A simulated lab with one vehicle, whose controller is one of this test. */
  play(...flags: string[]): ChildProgram {
    return this.start('play', '--vehicle-ids=1', '--own=1', this.#socket, ...flags);
  }

  record(name: string, ...flags: string[]): ChildProgram {
    return this.start('record', this.file(name), this.#socket, ...flags);
  }

  recordThrough(through: readonly string[], name: string): ChildProgram {
    return this.startThrough(through, 'record', this.file(name), this.#socket);
  }

  mark(text: string): ChildProgram {
    return this.start('mark', text, this.#socket);
  }

  controller(): ChildProgram {
    return this.lab.startProgram(process.execPath, gainController);
  }
}

/** Settles with the next status line of a run that goes on. */
async function untilRunningOn({ stdout }: ChildProgram): Promise<void> {
  const isRunning = (line: string) => line.startsWith('running');
  const before = stdout.items.filter(isRunning).length;
  let count = 0;
  await stdout.until((line) => isRunning(line) && ++count > before);
}

/** Settles when a run has made so many further steps. */
async function untilStepped({ stdout }: ChildProgram, steps: number): Promise<void> {
  const stepsOf = (line = '') => Number(/(\d+) start signals/.exec(line)?.[1] ?? 0);
  const before = stepsOf(stdout.items.at(-1));
  await stdout.until((line) => stepsOf(line) >= before + steps);
}

/** Run and recorder end; nothing is missing in "run.mcap", and the rules decide the same from it. */
async function expectWholeRecording(
  lab: RecordedLab,
  run: ChildProgram,
  recorder: ChildProgram,
): Promise<void> {
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(await recorder.ended).toEqual({ code: 0, signal: null });
  expect(recorder.stdout.items.join('\n')).not.toContain('dropped');
  const replay = lab.start('replay', lab.file('run.mcap'), '--rules', '--json');
  expect(await replay.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(replay.stdout.items.join('\n'))).toMatchObject({
    ...{ sessions: 1, same: true, incomplete: [] },
  });
}

/** A program that needs a whole core. */
function startBusyLoop(): ChildProgram {
  return new ChildProgram('the busy loop', process.execPath, ['-e', 'for (;;);'], '');
}

/** The sentence of the error with which a program ended. */
function errorOf({ stderr }: ChildProgram): string {
  return stderr.items.find((line) => line.startsWith('hlc-middleware:')) ?? '';
}

async function collected(items: AsyncIterable<RecordingItem>): Promise<RecordingItem[]> {
  const all: RecordingItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Number of records of the tap. */
async function recordsOf(file: string): Promise<number> {
  let records = 0;
  for await (const { kind } of readTap(file)) if (kind === 'record') records++;
  return records;
}

const patience = { timeout: 90_000 };

/** A run in simulated time whose recorder is suspended from its begin on. */
async function withSuspendedRecorder(periods: number) {
  const lab = new RecordedLab();
  const recorder = lab.record('run.mcap', '--wait-ms=30000');
  lab.controller();
  const run = lab.play('--simulated-time', `--periods=${periods}`);
  await recorder.stdout.until((line) => line.startsWith('recording'));
  recorder.signal('SIGSTOP');
  return { lab, recorder, run };
}

describe('A recorded run', patience, () => {
  it.each(['--simulated-time', '--period-ms=20'])(
    'is replayed to the rules without a difference, %s',
    async (time) => {
      const lab = new RecordedLab();
      const file = lab.file('run.mcap');
      lab.controller();
      const run = lab.play(time, '--periods=100', `--record=${file}`);
      expect(await run.ended).toEqual({ code: 0, signal: null });
      const replay = lab.start('replay', file, '--rules', '--json');
      expect(await replay.ended).toEqual({ code: 0, signal: null });
      const report: unknown = JSON.parse(replay.stdout.items.join('\n'));
      expect(report).toMatchObject({ sessions: 1, same: true, difference: null, incomplete: [] });
      const starts = (await collected(readRecording(file))).filter(
        (item) => item.kind === 'message' && item.channel.topic === '/controllers/vehicleStateList',
      );
      expect(starts).toHaveLength(100);
    },
  );

  it('is whole when the recorder was started before the middleware', async () => {
    const lab = new RecordedLab();
    const recorder = lab.record('run.mcap', '--wait-ms=30000');
    const socketOfReader = lab.file(`a.tap.${recorder.pid ?? ''}`);
    await expect.poll(() => existsSync(socketOfReader), { timeout: 20_000 }).toBe(true);
    lab.controller();
    const summaryFile = lab.file('summary.json');
    const run = lab.play('--period-ms=20', '--periods=100', `--summary=${summaryFile}`);
    await expectWholeRecording(lab, run, recorder);
    const { start_signals, commands_forwarded } = JSON.parse(
      readFileSync(summaryFile, 'utf8'),
    ) as RunSummary;
    const written = (await collected(readRecording(lab.file('run.mcap')))).flatMap((item) =>
      item.kind === 'message' ? item.channel.topic : [],
    );
    const countOf = (topic: string) => written.filter((each) => each === topic).length;
    expect(countOf('/controllers/vehicleStateList')).toBe(start_signals);
    expect(start_signals).toBe(100);
    for (const [topic, count] of Object.entries(commands_forwarded)) {
      // Stop commands of the middleware are on these topics, too.
      expect(countOf(`/lab/${topic}`)).toBeGreaterThanOrEqual(count);
    }
  });

  it('is replayed to a controller: the same one, one with another gain, a silent one', async () => {
    const lab = new RecordedLab();
    const file = lab.file('run.mcap');
    const controller = lab.controller();
    const run = lab.play('--simulated-time', '--periods=60', `--record=${file}`);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    await controller.ended;

    const junit = lab.file('replay.xml');
    const replay = (flags = '') => {
      const command = `${process.execPath} ${gainController} ${flags}`;
      const args = [`--controller=${command}`, `--junit=${junit}`];
      // Only one that is silent is to be late, also where a controller waits for a processor.
      if (flags.includes('silent')) args.push('--step-timeout-ms=500');
      return lab.start('replay', file, '--json', ...args);
    };
    const reportOf = (program: ChildProgram) =>
      JSON.parse(program.stdout.items.join('\n')) as { digest: string; differences: object[] };

    const digests: string[] = [];
    for (const busyLoops of [0, availableParallelism()]) {
      const busy = Array.from({ length: busyLoops }, startBusyLoop);
      const program = replay();
      expect(await program.ended).toEqual({ code: 0, signal: null });
      for (const loop of busy) loop.signal('SIGKILL');
      digests.push(reportOf(program).digest);
    }
    expect(digests[0]).toBe(digests[1]);
    const changed = replay('--gain=1.01');
    expect(await changed.ended).toEqual({ code: 1, signal: null });
    expect(reportOf(changed).differences[0]).toMatchObject({
      vehicle: 1,
      kind: 'speedCurvature',
      field: 'curvature',
    });
    expect(readFileSync(junit, 'utf8')).toContain('curvature: recorded');
    const silent = replay('--silent-after=5');
    expect(await silent.ended).toEqual({ code: 1, signal: null });
    expect(reportOf(silent)).toMatchObject({ silent: [1], unanswered: { 1: 3 } });
  });
});

describe('A recorder', patience, () => {
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
  });

  it('completes the file when the middleware is killed, and says so', async () => {
    const lab = new RecordedLab();
    lab.controller();
    const socket = `--control-socket=${lab.file('a.sock')}`;
    const run = lab.start('run', '--vehicle-ids=9', '--period-ms=50', socket, '--guard=false');
    const recorder = lab.record('run.mcap', '--wait-ms=30000');
    await recorder.stdout.until((line) => line.startsWith('recording'));
    run.signal('SIGKILL');
    expect(await recorder.ended).toEqual({ code: 1, signal: null });
    expect(errorOf(recorder)).toContain('[HLC_TAP_LOST]');
    const items = await collected(readRecording(lab.file('run.mcap')));
    expect(items.some(({ kind }) => kind === 'cut')).toBe(false);
  });

  it.each([
    [['record', 'FOLDER/a.mcap', '--wait-ms=100'], 'HLC_TAP_NOBODY'],
    [['record'], 'HLC_CONFIG_COMMAND'],
    [['record', 'a', 'b'], 'HLC_CONFIG_COMMAND'],
    [['record', 'recover', 'FOLDER/absent.mcap'], 'HLC_RECORDING_READ'],
    [['replay', 'FOLDER/absent.mcap', '--rules'], 'HLC_RECORDING_READ'],
    [['replay', 'FOLDER/absent.mcap'], 'HLC_CONFIG_COMMAND'],
    [['compare', 'FOLDER/absent.mcap', 'FOLDER/absent.mcap'], 'HLC_RECORDING_READ'],
    [['report', 'FOLDER/absent.mcap'], 'HLC_RECORDING_READ'],
    [['run', '--record=a.mcap', '--control-socket=off'], 'HLC_CONFIG_NEEDS'],
  ])('refuses %j with %s', async (args, code) => {
    const lab = new RecordedLab();
    const socket = `--control-socket=${lab.file('a.sock')}`;
    const given = args.map((each) => each.replace('FOLDER', lab.folder));
    const program = lab.start(...given, ...(given.includes('--wait-ms=100') ? [socket] : []));
    expect((await program.ended).code).toBe(code.startsWith('HLC_CONFIG') ? 2 : 1);
    expect(errorOf(program)).toContain(`[${code}]`);
  });

  it('does not overwrite a file, and a run that was to be recorded does not begin', async () => {
    const lab = new RecordedLab();
    const file = lab.file('mine.mcap');
    execFileSync('touch', [file]);
    const run = lab.play('--periods=5', `--record=${file}`);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.stderr.items.join('\n')).toContain('[HLC_RECORDER]');
    expect(statSync(file).size).toBe(0);
  });
});
