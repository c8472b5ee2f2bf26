import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { RecordingItem } from '../../src/record/index.js';
import { ChildProgram } from './child-program.js';
import { loopbackUri } from './loopback-uri.js';
import { cliProgram } from './middleware.js';
import { temporaryFolder } from './temporary-folder.js';
import { openTestLab, type TestLab } from './test-lab.js';

/** A controller whose gain is a flag. */
export const gainController = fileURLToPath(
  new URL('../peers/gain-controller.mjs', import.meta.url),
);

/** A lab in a folder of its own, with a control socket, so that there is a tap. */
export class RecordedLab {
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

  /** A recorder that waits: the middleware begins with it. */
  async waitingRecorder(name: string): Promise<ChildProgram> {
    const recorder = this.record(name, '--wait-ms=30000');
    const socketOfReader = this.file(`a.tap.${recorder.pid ?? ''}`);
    await expect.poll(() => existsSync(socketOfReader), { timeout: 20_000 }).toBe(true);
    return recorder;
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

/** Run and recorder end; nothing is missing in "run.mcap", and the rules decide the same from it. */
export async function expectWholeRecording(
  lab: RecordedLab,
  run: ChildProgram,
  recorder: ChildProgram,
): Promise<void> {
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(await recorder.ended).toEqual({ code: 0, signal: null });
  expect(recorder.stdout.items.join('\n')).not.toContain('dropped');
  const replay = lab.start('replay', lab.file('run.mcap'), '--rules', '--json');
  expect(await replay.ended, replay.stdout.items.join('\n')).toEqual({ code: 0, signal: null });
  expect(JSON.parse(replay.stdout.items.join('\n'))).toMatchObject({
    ...{ sessions: 1, same: true, incomplete: [] },
  });
}

/** The sentence of the error with which a program ended. */
export function errorOf({ stderr }: ChildProgram): string {
  return stderr.items.find((line) => line.startsWith('hlc-middleware:')) ?? '';
}

/** All that a recording has. */
export async function collected(items: AsyncIterable<RecordingItem>): Promise<RecordingItem[]> {
  const all: RecordingItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}
