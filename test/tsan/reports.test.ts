import { describe, expect, it } from 'vitest';
import { ownReports } from './reports.js';

const addon = '/x/hlc_dds.node+0x22c3d';
const cyclone = '/lib/x86_64-linux-gnu/libddsc.so.0debian+0xb671f';
const node = 'node+0x1d65445';

/** A stack below which lies the other kind of code, as it does in reality. */
const stack = (functionName: string, module: string) => [
  ...(functionName.startsWith('hlc') ? [] : ['    #0 free ../x.cpp:706 (libtsan.so+0x47e82)']),
  `    #1 ${functionName} <null> (${module})`,
  `    #2 other() /x/other.cc:7 (${module === addon ? cyclone : addon})`,
];

function report(what: string, ...stacks: readonly string[][]): string[] {
  const [first = [], second = []] = stacks;
  return [
    '==================',
    `WARNING: ThreadSanitizer: ${what} (pid=1)`,
    '  Write of size 8 at 0x7b4c00027280 by thread T24 (mutexes: write M1, write M2):',
    ...first,
    '',
    '  Previous atomic read of size 8 at 0x7b4c00027280 by main thread:',
    ...second,
    '',
    `SUMMARY: ThreadSanitizer: ${what} /x/reader.cc:103`,
    '==================',
  ];
}

/** As `free` of Cyclone's, but of a function that allocates nothing. */
const reading = (module: string) =>
  stack('<null>', module).map((line) => line.replace('free', 'memcpy'));

const ours = reading(addon);

describe('the reports of ThreadSanitizer', () => {
  it.each<[string, string[][]]>([
    ['the add-on with itself', [ours, stack('hlc::Pacer::arm(long)', addon)]],
    ['the add-on that frees what Cyclone reads', [stack('<null>', addon), reading(cyclone)]],
    ['the add-on with a read of Cyclone', [ours, reading(cyclone)]],
    ['the add-on with a stack that is lost', [ours, ['    [failed to restore the stack]']]],
    ['Cyclone with a stack that is lost', [reading(cyclone), []]],
  ])('count when they are about %s', (_, stacks) => {
    expect(ownReports(report('data race', ...stacks))).toHaveLength(1);
  });

  it.each<[string, string[][]]>([
    ['Cyclone with itself', [reading(cyclone), reading(cyclone)]],
    ['Cyclone and Node', [reading(cyclone), reading(node)]],
    ['memory that Cyclone gives back', [stack('<null>', cyclone), ours]],
  ])('are left out when they are about %s', (_, stacks) => {
    expect(ownReports(report('data race', ...stacks))).toEqual([]);
  });

  it('count when they are no data races, or cut off', () => {
    const foreign = [reading(cyclone), reading(cyclone)];
    expect(ownReports(report('lock-order-inversion', ...foreign))).toHaveLength(1);
    expect(ownReports(report('data race', ...foreign).slice(0, 4))).toHaveLength(1);
    expect(ownReports(['{"tick":1}'])).toEqual([]);
  });
});
