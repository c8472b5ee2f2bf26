import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../../src/node/index.js';
import { readRecording, readTap } from '../../../src/record/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import {
  collected,
  errorOf,
  expectWholeRecording,
  RecordedLab,
} from '../../support/recorded-lab.js';

/** Also root is bound by the rights of files then. */
const withoutRights =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

/** What the metadata of a recording says of its middleware. */
async function greetingOf(file: string): Promise<Partial<Record<string, string>>> {
  const items = await collected(readRecording(file));
  const greetings = items.flatMap((item) =>
    item.kind === 'metadata' && item.metadata.name === 'middleware' ? item.metadata.metadata : [],
  );
  return Object.fromEntries(greetings[0] ?? []);
}

describe('A recorded run', () => {
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
      const { program, config } = await greetingOf(file);
      expect(program).toMatch(/^\d+\.\d+\.\d+/);
      expect(JSON.parse(config ?? '')).toMatchObject({
        nodeId: 'middleware',
        session: { vehicleIds: [1], periods: 100 },
        safety: { missLimit: '3', clockToleranceNs: '1000000' },
      });
      const starts = (await collected(readRecording(file))).filter(
        (item) => item.kind === 'message' && item.channel.topic === '/controllers/vehicleStateList',
      );
      expect(starts).toHaveLength(100);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'has the stop commands and the end of a run whose whole process group gets %s',
    async (signal) => {
      const lab = new RecordedLab();
      const file = lab.file('run.mcap');
      const controller = lab.controller();
      const command = ['play', '--vehicle-ids=1', '--own=1', '--period-ms=20', `--record=${file}`];
      const socket = `--control-socket=${lab.file('a.sock')}`;
      const run = new ChildProgram(
        'the recorded run',
        process.execPath,
        [cliProgram, ...command, socket],
        loopbackUri(lab.lab.uri),
        { group: true },
      );
      await run.stdout.until((line) => line.startsWith('running'));
      await controller.stdout.until((line) => line.startsWith('commanded'));
      run.signal(signal);
      await run.ended;
      const records = [];
      for await (const item of readTap(file)) {
        expect(item.kind).not.toBe('cut');
        if (item.kind === 'record') records.push(item.record);
      }
      const effects = records.flatMap((record) =>
        record.type === 'effect' ? [record.effect.kind] : [],
      );
      expect(effects.lastIndexOf('commandVehicle')).toBeGreaterThan(effects.indexOf('ending'));
      expect(effects.at(-1)).toBe('ended');
      expect(records.at(-1)).toMatchObject({ type: 'end', content: { reason: 'closed' } });
    },
  );

  it('is whole when the recorder was started before the middleware', async () => {
    const lab = new RecordedLab();
    const recorder = await lab.waitingRecorder('run.mcap');
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
});

describe('A result', () => {
  it('is not written over its recording, nor where there is no folder', async () => {
    const lab = new RecordedLab();
    const file = lab.file('run.mcap');
    lab.controller();
    const run = lab.play('--simulated-time', '--periods=5', `--record=${file}`);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    const recorded = readFileSync(file);
    const link = lab.file('link.html');
    symlinkSync(file, link);
    for (const args of [
      ['report', file, `--output=${file}`],
      ['report', file, `--output=${link}`],
      ['compare', file, file, `--page=${file}`],
      ['report', file, `--output=${lab.file('absent/a.html')}`],
    ]) {
      const program = lab.start(...args);
      expect((await program.ended).code).toBe(1);
      expect(errorOf(program)).toContain('[HLC_RESULT_WRITE]');
    }
    expect(readFileSync(file).equals(recorded)).toBe(true);
    for (let written = 0; written < 2; written++) {
      const program = lab.start('report', file, `--output=${lab.file('a.html')}`);
      expect((await program.ended).code).toBe(0);
    }
  });
});

describe('A recorder', () => {
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

  it('of a run that is killed has that in the metadata', async () => {
    const lab = new RecordedLab();
    const file = lab.file('run.mcap');
    const socket = `--control-socket=${lab.file('a.sock')}`;
    const flags = ['--vehicle-ids=9', '--period-ms=50', '--guard=false', `--record=${file}`];
    const run = lab.start('run', socket, ...flags);
    await run.stderr.until((line) => line.includes('waiting for the ready signal'));
    run.signal('SIGKILL');
    // The recorder has the standard error of the run, and ends after it.
    await run.ended;
    expect(errorOf(run)).toContain('[HLC_TAP_LOST]');
    const items = await collected(readRecording(file));
    const ends = items.flatMap((item) =>
      item.kind === 'metadata' && item.metadata.name === 'end' ? [item.metadata.metadata] : [],
    );
    expect(ends).toEqual([new Map([['middleware', 'lost']])]);
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

  it('without rights for the folder, the tap or a recording says so, and the run goes on', async () => {
    const lab = new RecordedLab();
    lab.controller();
    const socket = `--control-socket=${lab.file('a.sock')}`;
    const run = lab.play('--periods=100000', '--period-ms=20', '--miss-policy=log');
    await run.stdout.until((line) => line.startsWith('running'));
    const refused = async (...args: string[]) => {
      const program = lab.startThrough(withoutRights, ...args);
      expect((await program.ended).code).toBe(1);
      return errorOf(program);
    };
    const folder = lab.file('closed');
    mkdirSync(folder, { mode: 0o500 });
    expect(await refused('record', path.join(folder, 'a.mcap'), socket)).toMatch(
      /EACCES.*\[HLC_RECORDING_WRITE\]$/,
    );
    chmodSync(lab.file('a.tap'), 0);
    expect(await refused('record', lab.file('a.mcap'), socket)).toMatch(
      /EACCES.*\[HLC_TAP_CONNECT\]$/,
    );
    writeFileSync(lab.file('b.mcap'), '', { mode: 0 });
    expect(await refused('report', lab.file('b.mcap'))).toMatch(/EACCES.*\[HLC_RECORDING_READ\]$/);
    const lines = run.stdout.items.length;
    await run.stdout.untilCount(lines + 2);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
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
