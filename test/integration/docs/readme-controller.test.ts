import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { codeBlocks, onlyBlock, pageOf } from '../../support/markdown.js';
import { expectToDrive } from '../../support/shown-controller.js';
import { folderInProject, temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const firstDrive = pageOf('docs/guide/first-drive.md');
const page = pageOf('docs/guide/controllers.md');

/** The block for the shell that builds the controller in C. */
function buildCommands(): string {
  const block = codeBlocks(page, 'sh').find(({ text }) => text.includes('idlc'));
  return block?.text ?? '';
}

/** Does what the page says, in a folder that is gone after the test; gives the program's path. */
function buildController(): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'controller.c'), onlyBlock(page, 'c'));
  // The page looks for the project in the user's home folder.
  const home = temporaryFolder();
  symlinkSync(root, path.join(home, 'hlc-middleware'));
  const options = { cwd: folder, env: { ...process.env, HOME: home }, stdio: 'pipe' } as const;
  execFileSync('sh', ['-ec', buildCommands()], options);
  const strict = ['-Wall', '-Wextra', '-Werror', '-fsyntax-only', 'controller.c'];
  execFileSync('cc', strict, options);
  return path.join(folder, 'controller');
}

/** What the compiler has to say of a program, with the settings of the example. */
function typeErrors(text: string): string[] {
  const file = path.join(folderInProject(), 'controller.ts');
  writeFileSync(file, text);
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'examples/typescript/tsconfig.build.json'),
    { noEmit: true, rootDir: root },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => expect(problem).toBeNull() },
  );
  const program = ts.createProgram([file], config?.options ?? {});
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the controller in C that docs/guide/controllers.md shows', () => {
  it('is built as the page says, answers every start signal, and ends when the lab stops', async () => {
    await expectToDrive({
      command: buildController(),
      args: [],
      cycloneUri: `file://${path.join(root, 'examples/cyclonedds-loopback.xml')}`,
      topic: 'vehicleCommandDirect',
    });
  });
});

describe('the controller in TypeScript that docs/guide/first-drive.md shows', () => {
  it('passes the compiler', () => {
    expect(typeErrors(onlyBlock(firstDrive, 'ts'))).toEqual([]);
  });

  it('answers every start signal, and ends when the lab stops', async () => {
    const file = path.join(folderInProject(), 'controller.mjs');
    writeFileSync(file, onlyBlock(firstDrive, 'ts'));
    const topic = 'vehicleCommandSpeedCurvature';
    await expectToDrive({ command: process.execPath, args: [file], topic });
  });
});

describe.each(['observe', 'vehicles'])('the programs that docs/guide/%s.md shows', (name) => {
  const blocks = codeBlocks(pageOf(`docs/guide/${name}.md`), 'ts');
  it.each(blocks)('pass the compiler', ({ text }) => {
    expect(typeErrors(text)).toEqual([]);
  });
});

describe('the controller that docs/guide/controllers.md shows', () => {
  it('passes the compiler', () => {
    const plan = `
      declare function planFor(
        tNowNs: bigint,
        vehicles: ReadonlyMap<number, import('hlc-middleware/controller').VehicleState>,
        signal: AbortSignal,
      ): Promise<{ vehicle_id: number; speed: number }[]>;`;
    expect(typeErrors(plan + onlyBlock(page, 'ts'))).toEqual([]);
  });
});
