import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { pageOf, tableBelow } from '../../support/markdown.js';

/** Who may import from whom, as the lint rule has it, without rooms that do not exist yet. */
function layerRules(): Record<string, string[]> {
  const text = readFileSync('eslint.config.js', 'utf8');
  const table = /const mayImport = \{\n([^]*?)\n\};/.exec(text)?.[1] ?? '';
  const rules: Record<string, string[]> = {};
  for (const [, room = '', list = ''] of table.matchAll(/^ {2}(\w+): \[([^\]]*)\],$/gm)) {
    if (!existsSync(`src/${room}`)) continue;
    rules[room] = list.split(',').flatMap((name) => {
      const other = name.replaceAll(/['\s]/g, '');
      return existsSync(`src/${other}`) && other !== '' ? [other] : [];
    });
  }
  return rules;
}

/** Every folder of src with files that are linted, and its room. */
function sourceFolders(): { readonly folder: string; readonly room: string }[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const linted = files.filter((file) => file.endsWith('.ts') && !file.includes('/generated/'));
  const folders = linted.map((file) => dirname(file));
  return [...new Set(folders)].map((folder) => ({ folder, room: folder.split('/')[0] ?? '' }));
}

/** What the lint rule refuses in a folder of src: patterns of the names of modules. */
async function refusedImports(eslint: ESLint, folder: string): Promise<RegExp[]> {
  const config = (await eslint.calculateConfigForFile(`src/${folder}/file.ts`)) as {
    rules: { 'no-restricted-imports'?: [number, { patterns: { regex: string }[] }] };
  };
  const [, options] = config.rules['no-restricted-imports'] ?? [];
  return (options?.patterns ?? []).map(({ regex }) => new RegExp(regex));
}

describe('the lint rule of imports', () => {
  it('refuses in each folder of a room what its room may not import', async () => {
    const rules = layerRules();
    const eslint = new ESLint();
    const missed: string[] = [];
    for (const { folder, room } of sourceFolders()) {
      const refused = await refusedImports(eslint, folder);
      const up = '../'.repeat(folder.split('/').length);
      for (const other of Object.keys(rules)) {
        if (other === room || rules[room]?.includes(other)) continue;
        const name = `${up}${other}/index.js`;
        if (!refused.some((pattern) => pattern.test(name))) missed.push(`${folder} from ${other}`);
      }
    }
    expect(missed).toEqual([]);
  });
});

describe('docs/design/architecture.md', () => {
  const rows = tableBelow(pageOf('docs/design/architecture.md'), 'Rooms');

  it('has one row for each folder of src', () => {
    const rooms = rows.map(([room]) => room);
    expect(rooms.sort()).toEqual(
      readdirSync('src')
        .map((room) => `\`src/${room}\``)
        .sort(),
    );
  });

  it('says who may import from whom as the lint rule does', () => {
    const rules = layerRules();
    const others = Object.keys(rules).filter((room) => room !== 'cli');
    const reported = rows.map(([room = '', , imports = '']) => {
      const name = room.replace(/`src\/(\w+)`/, '$1');
      if (imports === 'all of them') return [name, others];
      return [name, imports.match(/(?<=`)\w+(?=`)/g) ?? []];
    });
    expect(Object.fromEntries(reported)).toEqual(rules);
  });
});
