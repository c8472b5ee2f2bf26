import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path, { dirname } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import config, { mayImport } from '../../../oxlint.config.mjs';
import { pageOf, tableBelow } from '../../support/markdown.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Who may import from whom, as the lint rule has it, without rooms that do not exist yet. */
function layerRules(): Record<string, string[]> {
  const exists = (room: string) => existsSync(`src/${room}`);
  const rooms = Object.entries(mayImport).filter(([room]) => exists(room));
  return Object.fromEntries(rooms.map(([room, others]) => [room, others.filter(exists)]));
}

/** Every folder of src with files that are linted, and its room. */
function sourceFolders(): { readonly folder: string; readonly room: string }[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const linted = files.filter((file) => file.endsWith('.ts') && !file.includes('/generated/'));
  const folders = linted.map((file) => dirname(file));
  return [...new Set(folders)].map((folder) => ({ folder, room: folder.split('/')[0] ?? '' }));
}

/** Lints files of these texts, by their names below the working folder, and gives what is refused in each. */
function lint(
  files: Record<string, string>,
): { readonly filename: string; readonly line: number }[] {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  // Without types, as these imports lead nowhere.
  const rules = { plugins: [], categories: { correctness: 'off' }, overrides: config.overrides };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(rules));
  const args = [path.resolve('node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; labels: { span: { line: number } }[] }[];
  };
  return diagnostics.map(({ filename, labels }) => ({
    filename,
    line: labels[0]?.span.line ?? 0,
  }));
}

describe('the lint rule of imports', () => {
  it('refuses in each folder of a room what its room may not import', () => {
    const rules = layerRules();
    const rooms = Object.keys(rules);
    const files: Record<string, string> = {};
    const expected: string[] = [];
    for (const { folder, room } of sourceFolders()) {
      const up = '../'.repeat(folder.split('/').length);
      const allowed = folder.startsWith('certify/judging') ? ['core', 'errors'] : rules[room];
      const others = rooms.filter((other) => other !== room && !allowed?.includes(other));
      const name = `src/${folder}/file.ts`;
      files[name] = others.map((other) => `import '${up}${other}/index.js';`).join('\n');
      expected.push(...others.map((other, index) => `${name}:${index + 1} ${other}`));
    }
    const refused = lint(files).map(({ filename, line }) => {
      const other = /(\w+)\/index\.js/.exec(files[filename]?.split('\n')[line - 1] ?? '')?.[1];
      return `${filename}:${line} ${other ?? ''}`;
    });
    // Two patterns may refuse the same import.
    expect([...new Set(refused)].sort()).toEqual(expected.sort());
  });

  it('allows in a room what its room may import', () => {
    expect(lint({ 'src/core/a/file.ts': "import '../../ports/index.js';" })).toEqual([]);
  });

  it('keeps I/O out of rules and protocols', () => {
    const files = {
      'src/core/stop/file.ts': "import 'node:fs';",
      'src/gateways/cave/protocol/file.ts': "import 'node:zlib';\nimport 'node:net';",
      'src/certify/judging/file.ts': "import '../examination/index.js';\nDate.now();",
      'src/node/file.ts': "import 'node:fs';\ntransport.createReader(topic);",
      'src/sides/file.ts': 'transport.createReader(topic);',
    };
    const refused = lint(files).map(({ filename, line }) => `${filename}:${line}`);
    expect(refused.sort()).toEqual([
      'src/certify/judging/file.ts:1',
      'src/certify/judging/file.ts:2',
      'src/core/stop/file.ts:1',
      'src/gateways/cave/protocol/file.ts:2',
      'src/node/file.ts:2',
    ]);
  });
});

describe('docs/design/architecture.md', () => {
  const rows = tableBelow(pageOf('docs/design/architecture.md'), 'Rooms');

  it('has one row for each folder of src', () => {
    const rooms = rows.map(([room = '']) => room);
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
