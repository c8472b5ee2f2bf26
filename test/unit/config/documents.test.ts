import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { checkCodes } from '../../../src/core/index.js';
import { configFileSchema, flagsDocument, helpEntries } from '../../../src/config/index.js';
import { program } from '../docs/commands.js';

/** Each command with the flags of its help, in the order of the help; the commands of a command, too. */
function commandsBelow(parent: Command, path = ''): { name: string; flags: string[] }[] {
  return parent.commands.flatMap((command) => {
    const name = `${path}${command.name()}`;
    const options = command.createHelp().visibleOptions(command);
    const flags = options.flatMap(({ long }) => (long == null || long === '--help' ? [] : [long]));
    return [{ name, flags }, ...commandsBelow(command, `${name} `)];
  });
}

/** The flags in the sections whose heading names this command, or one below it, and in the rows that name it. */
function documentedFlags(command: string): string[] {
  const [ofRun = '', ...sections] = flagsDocument().split(/^## (?=.*[Ff]lags of )/m);
  const named = new RegExp(`\`${command}[\` ]`);
  const own = sections.filter((section) => named.test(section.split('\n')[0] ?? ''));
  const rows = flagsDocument()
    .split('\n')
    .filter((line) => named.test(line.split(' | ')[0] ?? ''));
  const text = [command === 'run' ? ofRun : '', ...own, ...rows].join('\n');
  return Array.from(text.matchAll(/\| `(--[a-z-]+)`/g), ([, flag = '']) => flag);
}

describe('docs/reference/flags.md', () => {
  it('is what "hlc-middleware config flags" prints', () => {
    const path = new URL('../../../docs/reference/flags.md', import.meta.url);
    expect(readFileSync(path, 'utf8')).toBe(flagsDocument());
  });

  it('has one row for each flag of "run", in the order of the help', () => {
    const [ofRun = ''] = flagsDocument().split('## Checks of commands');
    const rows = ofRun.match(/^\| `--[a-z-]+`/gm) ?? [];
    const terms = helpEntries().map(({ term }) => `| \`${term.split(' ')[0] ?? ''}\``);
    expect(rows).toEqual(terms);
  });

  it.each(commandsBelow(program))('has the flags that the help of $name lists', (command) => {
    expect(documentedFlags(command.name)).toEqual(expect.arrayContaining(command.flags));
  });

  it('has no flag of a command that its help does not list', () => {
    const known = new Set(commandsBelow(program).flatMap(({ flags }) => flags));
    const named = flagsDocument().match(/(?<=^\|(?: [^|]*\|)? )`--[a-z-]+`/gm) ?? [];
    expect(named.filter((flag) => !known.has(flag.slice(1, -1)))).toEqual([]);
  });

  it('has one row for each check of the rules, with its code', () => {
    const rows = flagsDocument().match(/^\| `[a-zA-Z]+` +\| `HLC_[A-Z_]+`/gm) ?? [];
    const cells = rows.map((row) => row.replace(/[|` ]+/g, ' ').trim());
    const checks = Object.entries(checkCodes).map((check) => check.join(' '));
    expect(cells.sort()).toEqual(checks.sort());
  });
});

describe('the JSON schema of the configuration file', () => {
  const schema = configFileSchema();

  it('knows every flag but --config, and the checks, and nothing else', () => {
    const flags = helpEntries().map(({ term }) => term.replace(/^--(\S+) .*$/, '$1'));
    const keys = [...flags.filter((flag) => flag !== 'config'), 'checks'];
    expect(Object.keys(schema.properties ?? {})).toEqual(keys);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toBeUndefined();
  });

  it('gives type, range and default as one writes them in the file', () => {
    expect(schema.properties).toMatchObject({
      'vehicle-ids': {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 255 },
        uniqueItems: true,
        default: [1],
      },
      'period-ms': { type: 'number', minimum: 0.1, maximum: 86_400_000 },
      'dds-domain': { type: 'integer', minimum: 0, maximum: 232, default: 0 },
      'wait-for-start': { type: 'boolean', default: true },
      'absent-vehicles': { type: 'string', enum: ['omit', 'default'], default: 'omit' },
      'node-id': { type: 'string', default: 'middleware' },
      'real-time-factor': { type: 'number', minimum: 0.001, maximum: 1000 },
      'control-socket': { type: 'string', default: 'auto' },
      checks: {
        type: 'object',
        properties: { notFinite: { type: 'string', enum: ['reject', 'flag'] } },
        additionalProperties: false,
      },
    });
  });
});
