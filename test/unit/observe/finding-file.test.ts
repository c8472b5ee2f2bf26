import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFinding, writeFinding } from '../../../src/observe/index.js';
import { oneFinding } from '../../support/one-finding.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newSocket = () => path.join(temporaryFolder(), 'new', 'a.sock');

describe('the finding of a check', () => {
  it('is kept for each vehicle of the controller, for this user only, and the newest replaces it', async () => {
    const socket = newSocket();
    await writeFinding(socket, oneFinding([1, 3]));
    await writeFinding(socket, { ...oneFinding([3]), failed: 2 });
    expect(readdirSync(`${socket}.findings`)).toEqual(['1.json', '3.json']);
    expect(statSync(path.join(`${socket}.findings`, '1.json')).mode & 0o077).toBe(0);
    expect(await readFinding(socket, 1)).toEqual(oneFinding([1, 3]));
    expect(await readFinding(socket, 3)).toMatchObject({ failed: 2 });
    expect(await readFinding(socket, 2)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['another content', JSON.stringify({ ...oneFinding([1]), time: 'yesterday' })],
    ['a text without end', JSON.stringify({ ...oneFinding([1]), version: 'x'.repeat(100) })],
    ['more bytes than any finding', `${JSON.stringify(oneFinding([1]))}${' '.repeat(70_000)}`],
  ])('is refused when the file has %s', async (_, content) => {
    const socket = newSocket();
    mkdirSync(`${socket}.findings`, { recursive: true });
    writeFileSync(path.join(`${socket}.findings`, '1.json'), content);
    await expect(readFinding(socket, 1)).rejects.toMatchObject({ code: 'HLC_FINDING_FILE' });
  });

  it('is not what a link leads to', async () => {
    const socket = newSocket();
    await writeFinding(socket, oneFinding([1]));
    symlinkSync('1.json', path.join(`${socket}.findings`, '2.json'));
    await expect(readFinding(socket, 2)).rejects.toMatchObject({ code: 'HLC_FINDING_FILE' });
  });

  it('is not written where another user may replace it', async () => {
    const folder = path.join(temporaryFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const writing = writeFinding(path.join(folder, 'a.sock'), oneFinding([1]));
    await expect(writing).rejects.toMatchObject({ code: 'HLC_FINDING_FILE' });
  });
});
