import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeBlocks, onlyBlock, pageOf } from '../support/markdown.js';
import { expectToDrive, expectToEndQuietly } from '../support/shown-controller.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { languages } from './languages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = pageOf('README.md');

const missing = languages.find(({ name }) => name === 'Python')?.missing();

/** The block for the shell that sets the controller up, without its folder of this project and its start. */
function setUpCommands(): string {
  const block = codeBlocks(readme, 'sh').find(({ text }) => text.includes('pip install'));
  const lines = block?.text.trimEnd().split('\n') ?? [];
  expect(lines.at(0)).toMatch(/^HLC=/);
  expect(lines.at(-1)).toBe('venv/bin/python controller.py');
  return lines.slice(1, -1).join('\n');
}

describe('the controller in Python that README.md shows', () => {
  skipWithout(missing && `${missing} is missing`);

  it('is set up as README.md says, answers every start signal, and ends when the lab stops, or by Ctrl-C', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'controller.py'), onlyBlock(readme, 'python'));
    // What the block exports, and the rest of the environment that its last line would have.
    const commands = `${setUpCommands()}\nprintf '%s' "$CYCLONEDDS_URI $PYTHONPATH"`;
    const options = {
      cwd: folder,
      env: { ...process.env, HLC: root },
      encoding: 'utf8',
    } as const;
    const exported = execFileSync('sh', ['-ec', commands], options).trim().split('\n').at(-1);
    const [cycloneUri = '', PYTHONPATH = ''] = exported?.split(' ') ?? [];
    const controller = {
      command: path.join(folder, 'venv/bin/python'),
      args: [path.join(folder, 'controller.py')],
      cycloneUri,
      variables: { PYTHONPATH },
      topic: 'vehicleCommandSpeedCurvature',
    };
    await expectToDrive(controller);
    await expectToEndQuietly(controller);
  });
});
