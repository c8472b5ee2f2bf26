import { describe, expect, it } from 'vitest';
import { performancePage } from '../../../bench/performance-page.mjs';
import { rows } from '../../../bench/rows/index.mjs';
import { faultPage, pageFile } from '../../../tools/fault-page.mjs';
import { pageOf, tableBelow, type Page } from '../../support/markdown.js';

/** The value of a line "- Name: value." of a page. */
function factOf({ text, name }: Page, fact: string): string {
  const value = new RegExp(`^- ${fact}: (.*)\\.$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${name} has no line "- ${fact}: …".`);
  return value;
}

describe('docs/reference/performance.md', () => {
  const page = pageOf('docs/reference/performance.md');
  const cells = tableBelow(page, 'Results');

  it('has the form in which "npm run bench -- --update-docs" writes it', () => {
    const machine = factOf(page, 'Machine');
    const runs = factOf(page, 'Figures');
    const others = factOf(page, 'Other programs');
    expect(page.text).toBe(performancePage({ machine, runs, others, cells }));
  });

  it('has one row for each figure and load of the bench, with its unit and target', () => {
    const expected = rows.flatMap(({ name, unit, loads }) =>
      loads.map((load) => [name, load.name, unit, load.target.text]),
    );
    const shown = cells.map(([name, load, unit, , , , target]) => [name, load, unit, target]);
    expect(shown).toEqual(expected);
  });

  it('prints ratios that follow from the printed medians', () => {
    for (const [name, load, , product = '', reference = '', ratio = ''] of cells) {
      const quotient = Number.parseFloat(product) / Number.parseFloat(reference);
      // Both medians are rounded in the table.
      expect(quotient / Number(ratio), `${name ?? ''}, ${load ?? ''}`).toBeCloseTo(1, 1);
    }
  });
});

describe(pageFile, () => {
  const page = pageOf(pageFile);
  const cells = tableBelow(page, 'Results');

  it('has the form in which "npm run test:faults -- --update-docs" writes it', () => {
    expect(page.text).toBe(faultPage(factOf(page, 'Machine'), cells));
  });

  it('lists the rows in order, each with a result', () => {
    const numbers = cells.map(([row]) => Number(row));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(
      cells.map((row) => row[5]).filter((result) => !/^(pass|FAIL|skipped)$/.test(result ?? '')),
    ).toEqual([]);
  });
});
