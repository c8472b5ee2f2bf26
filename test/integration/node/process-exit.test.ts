import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';

const script = fileURLToPath(new URL('../../peers/open-everything.mjs', import.meta.url));

describe('a process that leaves DDS open', () => {
  it.each([
    ['process.exit(0)', 'exit', 0, undefined],
    ['an uncaught exception', 'throw', 1, 'Error: left by a throw'],
    ['an exception of a listener', 'fault', 1, 'Error: left by a fault'],
  ])(
    'ends with the right exit code and without a crash by %s',
    async (_, way, exitCode, message) => {
      const runs = Array.from({ length: 4 }, () => {
        return new ChildProgram(script, process.execPath, [script, way], isolatedCycloneUri());
      });
      for (const program of runs) {
        expect(await program.ended).toEqual({ code: exitCode, signal: null });
        if (message === undefined) expect(program.stderr.items).toEqual([]);
        else expect(program.stderr.items).toContain(message);
      }
    },
  );
});
