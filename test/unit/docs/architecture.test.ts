import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
