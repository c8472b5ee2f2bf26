import { describe, expect, it } from 'vitest';
import { exitCodesDocument } from '../../../src/cli/exit-codes-document.js';
import { checkCodes } from '../../../src/core/index.js';
import { catalogue, ExitCode } from '../../../src/errors/index.js';
import * as qos from '../../../src/dds/qos/index.js';
import * as messages from '../../../src/messages/index.js';
import * as tap from '../../../src/tap/index.js';
import { tapPage } from '../../../tools/docs/tap-page.mjs';
import { topicFacts } from '../../../tools/docs/topic-facts.mjs';
import { topicsPage } from '../../../tools/docs/topics-page.mjs';
import { pageOf, tableBelow } from '../../support/markdown.js';

describe('docs/reference/exit-codes.md', () => {
  const page = pageOf('docs/reference/exit-codes.md');

  it('is what "npm run docs" writes', () => {
    expect(page.text).toBe(exitCodesDocument());
  });

  it('has one row for each exit code', () => {
    const rows = tableBelow(page, 'Codes').map(([code]) => Number(code));
    expect(rows).toEqual(Object.values(ExitCode));
  });

  it('lists each error once, below its exit code', () => {
    const listed = page.text
      .split(/^### Exit code /m)
      .slice(1)
      .flatMap((section) => {
        const codes = section.match(/(?<=\[)HLC_[A-Z_]+/g) ?? [];
        return codes.map((code) => `${code} ${Number.parseInt(section)}`);
      });
    // A failed check of a command ends no program.
    const checks: readonly string[] = Object.values(checkCodes);
    const all = Object.entries(catalogue)
      .filter(([code]) => !checks.includes(code))
      .map(([code, { exitCode }]) => `${code} ${exitCode}`);
    expect(listed.sort()).toEqual(all.sort());
  });
});

describe('docs/reference/tap.md', () => {
  it('is what "npm run docs" writes', () => {
    expect(pageOf('docs/reference/tap.md').text).toBe(tapPage(tap));
  });
});

describe('docs/reference/topics.md', () => {
  const page = pageOf('docs/reference/topics.md');

  it('is what "npm run docs" writes', () => {
    expect(page.text).toBe(topicsPage(topicFacts({ messages, qos })));
  });

  it('names each topic of the contract', () => {
    const missing = Object.values(messages.topics).filter(
      ({ name }) => !page.text.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });
});
