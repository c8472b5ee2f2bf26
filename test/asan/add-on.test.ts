// `npm run test:asan`: the add-on under AddressSanitizer, UndefinedBehaviorSanitizer and, where the
// process ends by itself, LeakSanitizer. There is no list of leaks to overlook: a Node that ends by
// itself gives back all that V8, Node and Cyclone DDS took. One that is left by `process.exit` or by
// an exception does not: some 570 blocks, all taken by V8. So leaks are not looked for there.

import { beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../support/skip-without.js';
import { missingEvents, randomRunArguments } from './random-run.js';
import { buildSanitizedAddon, findRuntime } from './sanitized-addon.js';

/** Exit code of a process in which a sanitizer found something. */
const foundSomething = 99;

const sanitizers = { name: 'asan', flag: 'address,undefined', runtime: 'libasan.so' };
const runtime = findRuntime(sanitizers);

describe('the add-on under AddressSanitizer', () => {
  skipWithout('missing' in runtime ? runtime.missing : undefined);
  let runSanitized: ReturnType<typeof buildSanitizedAddon>;

  beforeAll(() => {
    if ('path' in runtime) runSanitized = buildSanitizedAddon(sanitizers, runtime.path);
  });

  const run = (program: string, args: readonly string[], options: { leaks: boolean }) =>
    runSanitized(program, args, {
      ASAN_OPTIONS: `detect_leaks=${options.leaks ? 1 : 0}:exitcode=${foundSomething}`,
      LSAN_OPTIONS: `exitcode=${foundSomething}`,
      UBSAN_OPTIONS: `print_stacktrace=1:exitcode=${foundSomething}`,
    });

  it('opens, uses and closes every kind of entity in random order without a fault or a leak', async () => {
    console.log(`asan: seed and seconds ${randomRunArguments.slice(0, 2).join(', ')}`);
    const { end, stdout, stderr } = await run('random-entities.mjs', randomRunArguments, {
      leaks: true,
    });
    expect(stderr).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    console.log(`asan: ${stdout.join('\n')}`);
    expect(missingEvents(stdout)).toEqual([]);
  });

  it.each([
    ['process.exit(0)', 'exit', 0],
    ['an uncaught exception', 'throw', 1],
    ['an exception of a listener', 'fault', 1],
  ])('is left open by %s without a fault', async (_, way, exitCode) => {
    const { end, stderr } = await run('../peers/open-everything.mjs', [way], { leaks: false });
    expect(stderr.filter((line) => /Sanitizer|runtime error/.test(line))).toEqual([]);
    expect(end).toEqual({ code: exitCode, signal: null });
  });

  it('is left open by a worker thread that is ended, without a fault or a leak', async () => {
    const { end, stdout, stderr } = await run('ended-worker.mjs', [], { leaks: true });
    expect(stderr).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    expect(stdout).toEqual(['worker ended']);
  });
});
