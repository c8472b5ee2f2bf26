import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/paths.mjs';

const src = path.join(root, 'src');
const bundle = readFileSync(path.join(root, 'tools/bundle.mjs'), 'utf8');

/** What the files of src refer to relative to themselves. */
const references = readdirSync(src, { encoding: 'utf8', recursive: true }).flatMap((file) => {
  if (!file.endsWith('.ts')) return [];
  const text = readFileSync(path.join(src, file), 'utf8');
  return [...text.matchAll(/new URL\('([^']+)',\s*import\.meta\.url\)/g)].map(([, to = '']) => ({
    file,
    to,
  }));
});

it('refers to files of the project from one folder below src, as from the bundle in dist/cli', () => {
  const upwards = references.filter(({ to }) => to.startsWith('..'));
  expect(upwards.length).toBeGreaterThan(2);
  for (const { file, to } of upwards) {
    expect(file.split(path.sep), `${file}: ${to}`).toHaveLength(2);
    expect(to).toMatch(/^\.\.\/\.\.\/(?!\.\.)/);
  }
});

it('refers beside itself only to files that the bundle has under the same name', () => {
  const beside = references.filter(({ to }) => !to.startsWith('..'));
  expect(beside.length).toBeGreaterThan(1);
  for (const { to } of beside) {
    const { name } = path.parse(to);
    expect(bundle).toMatch(new RegExp(`^ {4}'?${name}'?: `, 'm'));
  }
});
