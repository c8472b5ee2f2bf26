import { describe, expect, it } from 'vitest';
import { errorsDocument } from '../../../src/cli/errors-document.js';
import { catalogue, HlcError } from '../../../src/errors/index.js';
import { pageOf } from '../../support/markdown.js';

describe('docs/reference/errors.md', () => {
  it('is what "hlc-middleware config errors" prints', () => {
    expect(pageOf('docs/reference/errors.md').text).toBe(errorsDocument());
  });

  it('has one entry for each code of the catalogue', () => {
    const entries = errorsDocument().match(/(?<=^### )HLC_[A-Z_]+$/gm) ?? [];
    expect(entries.sort()).toEqual(Object.keys(catalogue).sort());
  });

  it('gives the sentences as users read them, with names for what differs', () => {
    const details = { name: '<name>', value: '<value>', rule: '<rule>', nearest: '<nearest>' };
    const error = new HlcError('HLC_CONFIG_VALUE', details);
    expect(errorsDocument()).toContain(
      `### ${error.code}\n\nExit code ${error.exitCode}:\n\n\`\`\`text\n${error.message}\n\`\`\`\n`,
    );
  });

  it('gives no sentence that shows the inside of an object', () => {
    expect(errorsDocument()).not.toMatch(/\[object|undefined|=>/);
  });
});
