import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const program = fileURLToPath(new URL('../../peers/dead-terminal.mjs', import.meta.url));

/** How a process ends that calls this at a SIGHUP, when its terminal is gone. */
async function endOnDeadTerminal(way: 'process.exit' | 'exitNow'): Promise<unknown> {
  const file = path.join(temporaryFolder(), 'report');
  const lines = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line): unknown => JSON.parse(line))
      : [];
  const command = `exec '${process.execPath}' '${program}' around ${way} '${file}'`;
  const args = ['--quiet', '--flush', '--command', command, '/dev/null'];
  const terminal = new ChildProgram('script', 'script', args, isolatedCycloneUri());
  await waitUntil(() => lines().length === 1);
  expect(lines()).toEqual(['ready']);
  terminal.signal('SIGKILL');
  await waitUntil(() => lines().length === 2);
  return lines()[1];
}

describe('exitNow', () => {
  it('ends with its exit code on a terminal that is gone', async () => {
    expect(await endOnDeadTerminal('exitNow')).toEqual({ code: 129, signal: null });
  });

  it('is needed, since Node itself crashes there', async () => {
    expect(await endOnDeadTerminal('process.exit')).toMatchObject({ code: null });
  });
});
