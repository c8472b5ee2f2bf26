// `npm run test:tsan`: the add-on under ThreadSanitizer, with the programs of test/asan.

import { beforeAll, describe, expect, it } from 'vitest';
import { missingEvents, randomRunArguments } from '../asan/random-run.js';
import { buildSanitizedAddon, findRuntime } from '../asan/sanitized-addon.js';
import { skipWithout } from '../support/skip-without.js';
import { ownReports } from './reports.js';

const sanitizers = { name: 'tsan', flag: 'thread', runtime: 'libtsan.so' };
const runtime = findRuntime(sanitizers);

describe('the add-on under ThreadSanitizer', () => {
  skipWithout('missing' in runtime ? runtime.missing : undefined);
  let runSanitized: ReturnType<typeof buildSanitizedAddon>;

  beforeAll(() => {
    if ('path' in runtime) runSanitized = buildSanitizedAddon(sanitizers, runtime.path);
  });

  // What is reported decides, not the exit code, since some reports are left out. With the longest
  // history, few stacks of an earlier access are lost.
  const run = (program: string, args: readonly string[]) =>
    runSanitized(program, args, { TSAN_OPTIONS: 'exitcode=0:history_size=7' });

  it('opens, uses and closes every kind of entity in random order without a race', async () => {
    console.log(`tsan: seed and seconds ${randomRunArguments.slice(0, 2).join(', ')}`);
    const { end, stdout, stderr } = await run('random-entities.mjs', randomRunArguments);
    expect(ownReports(stderr)).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    console.log(`tsan: ${stdout.join('\n')}`);
    expect(missingEvents(stdout)).toEqual([]);
  });

  it.each([
    ['process.exit(0)', 'exit', 0],
    ['an uncaught exception', 'throw', 1],
    ['an exception of a listener', 'fault', 1],
  ])('is left open by %s without a race', async (_, way, exitCode) => {
    const { end, stderr } = await run('../peers/open-everything.mjs', [way]);
    expect(ownReports(stderr)).toEqual([]);
    expect(end).toEqual({ code: exitCode, signal: null });
  });

  it('is left open by a worker thread that is ended, without a race', async () => {
    const { end, stdout, stderr } = await run('ended-worker.mjs', []);
    expect(ownReports(stderr)).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    expect(stdout).toEqual(['worker ended']);
  });
});
