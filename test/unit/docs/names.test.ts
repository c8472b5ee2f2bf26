import { describe, expect, it } from 'vitest';
import { usage as benchUsage } from '../../../bench/command-line.mjs';
import { commandHelpEntries, debugVariable, helpEntries } from '../../../src/config/index.js';
import { catalogue, ExitCode } from '../../../src/errors/index.js';
import { topics } from '../../../src/messages/index.js';
import { commandOptions } from '../../support/command-options.js';
import { allPages, codeOf, pageOf, tableBelow } from '../../support/markdown.js';
import { commandNames } from './commands.js';

const pages = allPages();

const flagsIn = (text: string): string[] => text.match(/(?<![\w-])--[a-z][a-z0-9_-]*/g) ?? [];

const runFlags = helpEntries().flatMap(({ term }) => flagsIn(term));

/** Flags that are not those of `run`. */
const otherFlags = [
  '--help',
  '--version',
  '--side', // of "qos check"
  '--listen-ms', // of "doctor"
  '--json', // of "doctor"
  ...['--apply', '--undo', '--packages'], // of "install-cpm-lab"
  '--name', // stands for any flag
  ...['--pid', '--rtprio', '--memlock'], // of prlimit
  ...['--ros-args', '--params-file', '--base-paths', '--show-args'], // of ROS 2 and colcon
  '--once', // of "ros2 topic echo"
  '--csv', // of "ros2 topic echo"
  ...['--loopback', '--heartbeats', '--quiet'], // of examples/synchrono
  '--replay', // of "npm run test:faults"
  ...commandOptions.flatMap(commandHelpEntries).flatMap(({ term }) => flagsIn(term)),
  ...flagsIn(benchUsage),
];

describe('the documentation', () => {
  it.each(pages)('of $name names only flags that exist', ({ text }) => {
    const known = new Set([...runFlags, ...otherFlags]);
    const unknown = flagsIn(text).filter((flag) => !known.has(flag.replaceAll('_', '-')));
    expect(unknown).toEqual([]);
  });

  it.each(pages)('of $name names only environment variables that exist', ({ text }) => {
    const variables = runFlags.map(
      (flag) => `HLC_MIDDLEWARE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`,
    );
    const known = new Set([...variables, debugVariable]);
    const named = text.match(/HLC_MIDDLEWARE_[A-Z_]+/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(pages)('of $name names only codes of the catalogue', ({ text }) => {
    const named = text.match(/\bHLC_(?!MIDDLEWARE_)[A-Z_]+/g) ?? [];
    expect(named.filter((code) => !(code in catalogue))).toEqual([]);
  });

  it.each(pages)('of $name names only exit codes that exist', ({ text }) => {
    const named = Array.from(text.matchAll(/\bexit codes? (\d+)(?: and (\d+))?/gi), (found) =>
      found.slice(1).flatMap((code: string | undefined) => (code ? [Number(code)] : [])),
    );
    const known: readonly number[] = Object.values(ExitCode);
    expect(named.flat().filter((code) => !known.includes(code))).toEqual([]);
  });

  it.each(pages)('of $name names only commands that exist', (page) => {
    const named = codeOf(page).flatMap((code) =>
      Array.from(code.matchAll(/\bhlc-middleware ([a-z][a-z-]*)/g), ([, name = '']) => name),
    );
    expect(named.filter((name) => !commandNames.includes(name))).toEqual([]);
  });
});

describe('docs/guide/controllers.md', () => {
  it('gives each topic its type', () => {
    for (const [name = '', type = ''] of tableBelow(
      pageOf('docs/guide/controllers.md'),
      'Topics',
    )) {
      const topic = Object.values(topics).find((known) => `\`${known.name}\`` === name);
      expect(`${name} ${type}`).toBe(`${name} \`${topic?.typeName ?? 'no such topic'}\``);
    }
  });
});
