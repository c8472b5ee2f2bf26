import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { checkCodes } from '../../../src/core/index.js';
import {
  commandHelpEntries,
  configFileSchema,
  flagsDocument,
  helpEntries,
} from '../../../src/config/index.js';
import { commandOptions } from '../../support/command-options.js';

describe('docs/reference/flags.md', () => {
  it('is what "hlc-middleware config flags" prints', () => {
    const path = new URL('../../../docs/reference/flags.md', import.meta.url);
    expect(readFileSync(path, 'utf8')).toBe(flagsDocument());
  });

  it('has one row for each flag of the help', () => {
    const rows = flagsDocument().match(/^\| `--[a-z-]+`/gm) ?? [];
    const entries = [...helpEntries(), ...commandOptions.flatMap(commandHelpEntries)];
    const terms = entries.map(({ term }) => `| \`${term.split(' ')[0] ?? ''}\``);
    expect(rows).toEqual(terms);
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
