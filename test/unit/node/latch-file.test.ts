import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpmLabVehicle, type Command } from '../../../src/core/index.js';
import type { HlcError } from '../../../src/errors/index.js';
import {
  LatchFile,
  latchFilePath,
  readLatchFile,
} from '../../../src/node/middleware/latch-file.js';
import type { NodeEffect } from '../../../src/node/observers/session-observer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { parse } from '../config/parse.js';
import { base } from '../core/support.js';

const safeStop = (id: number, latched = true): NodeEffect => ({
  kind: 'safeStop',
  id,
  cause: 'misses',
  latched,
});
const forwarded = (kind: Command['kind'], id: number, stampNs = 1n): NodeEffect =>
  ({ kind: 'forwardCommand', command: { kind, message: base(id, stampNs) } }) as NodeEffect;
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

  it('has the kinds of commands that each vehicle was sent, and their highest stamps', async () => {
    const file = newPath();
    await after(file, [1, 2], [forwarded('pathTracking', 1, 7n), safeStop(1), safeStop(2)]);
    const unknown = { id: 2, kinds: cpmLabVehicle.kinds };
    const sent = { createNs: 7n, validNs: 7n };
    expect(await readLatchFile(file)).toEqual([{ id: 1, kinds: ['pathTracking'], sent }, unknown]);
    await after(file, [1], [safeStop(1), forwarded('direct', 1, 6n), safeStop(1)]);
    expect(await readLatchFile(file)).toEqual([
      { id: 1, kinds: ['pathTracking', 'direct'], sent },
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
    ['a long text', `{"latched":[1]}${' '.repeat(70_000)}`],
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
    rmdirSync(file);
    latchFile.effect(safeStop(1));
    await latchFile.close();
    expect((await readLatchFile(file)).map(({ id }) => id)).toEqual([1]);
    rmSync(file);
    mkdirSync(file);
    latchFile.effect(safeStop(1));
    await latchFile.close();
    expect(errors).toHaveLength(2);
  });

  it('takes its room at the begin of a run, and needs no further room for a stop', async () => {
    const file = newPath();
    const latchFile = open(file, [1, 2]);
    await latchFile.reserve();
    expect(await readLatchFile(file)).toEqual([]);
    const { size } = statSync(file);
    linkSync(file, `${file}.link`);
    for (const id of [1, 2]) {
      latchFile.effect(forwarded('pathTracking', id));
      latchFile.effect(safeStop(id));
      await latchFile.close();
    }
    expect((await readLatchFile(file)).map(({ id }) => id)).toEqual([1, 2]);
    // Still the same file, on the same blocks.
    expect(statSync(file)).toMatchObject({ nlink: 2, size });
    latchFile.effect(ended([]));
    await latchFile.close();
    expect(existsSync(file)).toBe(false);
  });

  it('holds the longest content in its room', async () => {
    const file = newPath();
    const ids = Array.from({ length: 256 }, (_, id) => id);
    const latchFile = open(file, ids);
    await latchFile.reserve();
    const { size } = statSync(file);
    for (const id of ids) {
      for (const kind of cpmLabVehicle.kinds)
        latchFile.effect(forwarded(kind, id, 10n ** 19n - 1n));
    }
    latchFile.add(ids);
    await latchFile.close();
    expect(await readLatchFile(file)).toHaveLength(256);
    expect(statSync(file).size).toBe(size);
  });

  it('reports a folder that cannot be written before a stop needs it', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    const errors: HlcError[] = [];
    await open(path.join(folder, 'file', 'latch'), [1], errors).reserve();
    expect(errors.map(({ code }) => code)).toEqual(['HLC_LATCH_FILE']);
  });

  it('stands beside the control socket', () => {
    const { controlSocket } = parse('--period-ms=50 --control-socket=/tmp/a.sock').output;
    expect(latchFilePath(controlSocket)).toBe('/tmp/a.sock.latch');
    expect(latchFilePath(null)).toBeNull();
  });
});
