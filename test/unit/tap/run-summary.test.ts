import { describe, expect, expectTypeOf, it } from 'vitest';
import type { RunSummary } from '../../../src/node/index.js';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { checkContent } from '../../../src/tap/contents.js';
import type { TapSummary } from '../../../src/tap/index.js';
import { oneController } from '../../support/open-tap.js';

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

const added = [
  'event_loop_stall_max_us',
  'output_lines_lost',
  'observers_removed',
  'second_controllers',
];

/** The summary in a record after the check of its content. */
function checked(summary: object) {
  const record = checkContent({ type: 'summary', content: { ...oneController, summary } });
  if (record.type !== 'summary') throw new Error('this is no summary');
  return record.content.summary;
}

describe('the summary of a run in the tap', () => {
  it('has the members of the summary that the middleware writes', () => {
    expectTypeOf<NonNullable<TapSummary['summary']>>().toEqualTypeOf<Writable<RunSummary>>();
    const written = new RunStatistics([1]).summary(7);
    expect(checked(written)).toEqual(written);
  });

  it('is read from a recording of a version with fewer counts', () => {
    const members = Object.entries(oneController.summary ?? {});
    const before = Object.fromEntries(members.filter(([name]) => !added.includes(name)));
    const none = Object.fromEntries(added.map((name) => [name, 0]));
    expect(checked(before)).toEqual({ ...before, ...none });
  });
});
