// `npm run test:asan`: the add-on under AddressSanitizer, UndefinedBehaviorSanitizer and, where the
// process ends by itself, LeakSanitizer. There is no list of leaks to overlook: a Node that ends by
// itself gives back all that V8, Node and Cyclone DDS took. One that is left by `process.exit` or by
// an exception does not: some 570 blocks, all taken by V8. So leaks are not looked for there.

import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { isolatedCycloneUri } from '../support/isolation.js';
import { skipWithout } from '../support/skip-without.js';
import { buildSanitizedAddon, findRuntime, type SanitizerEnvironment } from './sanitized-addon.js';

/** Names another seed than a random one; the order of events still differs from run to run. */
const seed = Number(process.env.HLC_ASAN_SEED ?? randomInt(1_000_000_000));
const randomSeconds = 6;
/** Exit code of a process in which a sanitizer found something. */
const foundSomething = 99;

/** What must have happened for a run to mean anything. */
const mustHappen = [
  ...['join', 'joinRefused', 'openTwice', 'createReader', 'createWriter', 'createRefused'],
  ...['write', 'writeBroken', 'look', 'arm', 'disarm', 'closeEndpoint', 'closeParticipant'],
  ...['useClosedHandle', 'closeContext'],
].map((action) => `did ${action}`);
const mustCome = [
  ...['written', 'sample', 'tick', 'reader matched', 'writer matched', 'instance ended'],
  ...['reader incompatible', 'writer incompatible', 'refused after close'],
];

const runtime = findRuntime();

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe('the add-on under AddressSanitizer', () => {
  skipWithout('missing' in runtime ? runtime.missing : undefined);
  let environment: SanitizerEnvironment;

  beforeAll(() => {
    if ('path' in runtime) environment = buildSanitizedAddon(runtime.path);
  });

  async function run(program: string, args: readonly string[], options: { leaks: boolean }) {
    const child = new ChildProgram(
      program,
      process.execPath,
      [program, ...args],
      isolatedCycloneUri(),
      {
        variables: {
          ...environment,
          ASAN_OPTIONS: `detect_leaks=${options.leaks ? 1 : 0}:exitcode=${foundSomething}`,
          LSAN_OPTIONS: `exitcode=${foundSomething}`,
          UBSAN_OPTIONS: `print_stacktrace=1:exitcode=${foundSomething}`,
        },
      },
    );
    const end = await child.ended;
    return { end, stdout: child.stdout.items, stderr: child.stderr.items };
  }

  it('opens, uses and closes every kind of entity in random order without a fault or a leak', async () => {
    console.log(`asan: seed ${seed}, ${randomSeconds} s`);
    const args = [String(seed), String(randomSeconds)];
    const { end, stdout, stderr } = await run(script('random-entities.mjs'), args, { leaks: true });
    expect(stderr).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    console.log(`asan: ${stdout.join('\n')}`);
    const counts = JSON.parse(stdout[0] ?? '{}') as Record<string, number>;
    expect([...mustHappen, ...mustCome].filter((name) => !(name in counts))).toEqual([]);
  });

  it.each([
    ['process.exit(0)', 'exit', 0],
    ['an uncaught exception', 'throw', 1],
    ['an exception of a listener', 'fault', 1],
  ])('is left open by %s without a fault', async (_, way, exitCode) => {
    const program = script('../peers/open-everything.mjs');
    const { end, stderr } = await run(program, [way], { leaks: false });
    expect(stderr.filter((line) => /Sanitizer|runtime error/.test(line))).toEqual([]);
    expect(end).toEqual({ code: exitCode, signal: null });
  });

  it('is left open by a worker thread that is ended, without a fault or a leak', async () => {
    const { end, stdout, stderr } = await run(script('ended-worker.mjs'), [], { leaks: true });
    expect(stderr).toEqual([]);
    expect(end).toEqual({ code: 0, signal: null });
    expect(stdout).toEqual(['worker ended']);
  });
});
