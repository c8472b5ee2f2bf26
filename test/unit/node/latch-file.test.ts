import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HlcError } from '../../../src/errors/index.js';
import {
  LatchFile,
  latchFilePath,
  readLatchFile,
} from '../../../src/node/middleware/latch-file.js';
import type { NodeEffect } from '../../../src/node/observers/session-observer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { parse } from '../config/parse.js';

const safeStop = (id: number, latched = true): NodeEffect => ({
  kind: 'safeStop',
  id,
  cause: 'misses',
  latched,
});
const ended = (moving: readonly number[]): NodeEffect => ({
  kind: 'ended',
  reason: 'stopped',
  latched: [],
  moving,
});

function newPath(): string {
  return path.join(temporaryFolder(), 'new', 'control.sock.latch');
}

function open(file: string, vehicleIds: readonly number[], errors: HlcError[] = []): LatchFile {
  const onFailure = (error: HlcError) => void errors.push(error);
  return new LatchFile({ path: file, vehicleIds, onFailure });
}

/** What the file names after a run of these vehicles saw these effects. */
async function after(
  file: string,
  vehicleIds: readonly number[],
  effects: readonly NodeEffect[],
): Promise<number[]> {
  const latchFile = open(file, vehicleIds);
  for (const effect of effects) latchFile.effect(effect);
  await latchFile.close();
  return (await readLatchFile(file)).map(({ id }) => id);
}

describe('the latch file', () => {
  it('names the vehicles that were latched and not resumed', async () => {
    const file = newPath();
    expect(await readLatchFile(file)).toEqual([]);
    const effects = [safeStop(3), safeStop(1), safeStop(2, false)];
    expect(await after(file, [1, 2, 3], effects)).toEqual([1, 3]);
    expect(await after(file, [1, 2, 3], [{ kind: 'resumed', id: 3 }])).toEqual([1]);
    expect(readdirSync(path.dirname(file))).toEqual(['control.sock.latch']);
  });

  it('is removed at a clean end, and kept while a vehicle may move', async () => {
    const file = newPath();
    expect(await after(file, [1], [safeStop(1), ended([1])])).toEqual([1]);
    expect(await after(file, [1], [ended([])])).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it('has the kinds of commands that each vehicle was sent', async () => {
    const file = newPath();
    const forwarded = (kind: 'direct' | 'pathTracking'): NodeEffect =>
      ({ kind: 'forwardCommand', command: { kind, message: { vehicle_id: 1 } } }) as NodeEffect;
    await after(file, [1, 2], [forwarded('pathTracking'), safeStop(1), safeStop(2)]);
    const all = ['direct', 'speedCurvature', 'trajectory', 'pathTracking'];
    const unknown = { id: 2, kinds: all };
    expect(await readLatchFile(file)).toEqual([{ id: 1, kinds: ['pathTracking'] }, unknown]);
    await after(file, [1], [safeStop(1), forwarded('direct'), safeStop(1)]);
    expect(await readLatchFile(file)).toEqual([
      { id: 1, kinds: ['pathTracking', 'direct'] },
      unknown,
    ]);
  });

  it('of a version without kinds stands for all', async () => {
    const file = path.join(temporaryFolder(), 'latch');
    writeFileSync(file, '{"latched":[1]}');
    expect((await readLatchFile(file))[0]?.kinds).toHaveLength(4);
  });

  it('keeps what other vehicles of the same path have latched', async () => {
    const file = newPath();
    await after(file, [1], [safeStop(1)]);
    expect(await after(file, [2], [safeStop(2), ended([])])).toEqual([1]);
  });

  it.each([
    ['no JSON', '{'],
    ['another content', '{"latched":["1"]}'],
    ['an id that no vehicle has', '{"latched":[256]}'],
    ['a long text', `{"latched":[1]}${' '.repeat(40_000)}`],
  ])('refuses %s', async (_, content) => {
    const file = path.join(temporaryFolder(), 'latch');
    writeFileSync(file, content);
    await expect(readLatchFile(file)).rejects.toMatchObject({ code: 'HLC_LATCH_FILE' });
  });

  it('refuses a folder, and what a link leads to', async () => {
    const folder = temporaryFolder();
    const link = path.join(folder, 'link');
    writeFileSync(path.join(folder, 'latch'), '{"latched":[1]}');
    symlinkSync(path.join(folder, 'latch'), link);
    await expect(readLatchFile(link)).rejects.toMatchObject({ code: 'HLC_LATCH_FILE' });
    await expect(readLatchFile(folder)).rejects.toMatchObject({ code: 'HLC_LATCH_FILE' });
  });

  it('reports a disk that cannot be written once, and again after it could', async () => {
    const file = newPath();
    const errors: HlcError[] = [];
    const latchFile = open(file, [1], errors);
    mkdirSync(file, { recursive: true });
    for (let i = 0; i < 2; i++) {
      latchFile.effect(safeStop(1));
      await latchFile.close();
    }
    expect(errors.map(({ code }) => code)).toEqual(['HLC_LATCH_FILE']);
  });

  it('stands beside the control socket, and is none where nothing is latched or resumed', () => {
    const { controlSocket } = parse('--period-ms=50 --control-socket=/tmp/a.sock').output;
    expect(latchFilePath(controlSocket, 'manual')).toBe('/tmp/a.sock.latch');
    expect(latchFilePath(controlSocket, 'trigger')).toBe('/tmp/a.sock.latch');
    expect(latchFilePath(controlSocket, 'auto')).toBeNull();
    expect(latchFilePath(null, 'manual')).toBeNull();
  });
});
