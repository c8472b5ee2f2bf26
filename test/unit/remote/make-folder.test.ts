import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../src/remote/make-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('makes a folder and those above it for this user, also again', async () => {
  const folder = path.join(temporaryFolder(), 'a', 'b', 'c');
  await makeFolder(folder);
  await makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('says why there is none where a file is in the way', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(path.join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('ends where the file system makes no folders', { skip: !existsSync('/proc/self') }, async () => {
  await expect(makeFolder('/proc/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
});
