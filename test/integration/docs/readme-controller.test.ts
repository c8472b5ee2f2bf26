import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { codeBlocks, onlyBlock, pageOf } from '../../support/markdown.js';
import { Middleware } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = pageOf('README.md');
const page = pageOf('docs/controllers.md');

/** The block for the shell that builds the controller in C. */
function buildCommands(): string {
  const block = codeBlocks(page, 'sh').find(({ text }) => text.includes('idlc'));
  return block?.text ?? '';
}

/** Does what the page says, in a folder that is gone after the test; gives the program's path. */
function buildController(): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'controller.c'), onlyBlock(page, 'c'));
  const options = { cwd: folder, env: { ...process.env, HLC: root }, stdio: 'pipe' } as const;
  execFileSync('sh', ['-ec', buildCommands()], options);
  const strict = ['-Wall', '-Wextra', '-Werror', '-fsyntax-only', 'controller.c'];
  execFileSync('cc', strict, options);
  return path.join(folder, 'controller');
}

/** A folder in which the name of this project's package can be imported; gone after the test. */
function folderInProject(): string {
  const folder = mkdtempSync(path.join(root, 'build/docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
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

/** A hundred steps of simulated time for the controller of vehicle 1. */
function startMiddleware(uri: string): Middleware {
  const time = ['--simulated-time', '--time-source=self', '--period-ms=50', '--periods=100'];
  const defaults = ['--control-socket=off'];
  return new Middleware(uri, ['--vehicle-ids=1', ...time], { defaults });
}

describe('the controller in C that docs/controllers.md shows', () => {
  it('is built as the page says, answers every start signal, and ends when the lab stops', async () => {
    const file = buildController();
    const uri = isolatedCycloneUri();
    const network = `file://${path.join(root, 'docs/cyclonedds-loopback.xml')},${uri}`;
    const controller = new ChildProgram('the controller', file, [], network);
    const middleware = startMiddleware(uri);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    expect(controller.stderr.items).toEqual([]);
    expect(middleware.summary()).toMatchObject({
      start_signals: 100,
      commands_forwarded: { vehicleCommandDirect: 100 },
      commands_refused: {},
      controllers: { 1: { replies: 100, misses: 0 } },
    });
  });
});

describe('the controller in TypeScript that README.md shows', () => {
  it('passes the compiler', () => {
    expect(typeErrors(onlyBlock(readme, 'ts'))).toEqual([]);
  });

  it('answers every start signal, and ends when the lab stops', async () => {
    const file = path.join(folderInProject(), 'controller.mjs');
    writeFileSync(file, onlyBlock(readme, 'ts'));
    const uri = isolatedCycloneUri();
    const controller = new ChildProgram('the controller', process.execPath, [file], uri);
    const middleware = startMiddleware(uri);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    expect(controller.stderr.items).toEqual([]);
    expect(middleware.summary()).toMatchObject({
      start_signals: 100,
      commands_forwarded: { vehicleCommandSpeedCurvature: 100 },
      commands_refused: {},
      controllers: { 1: { replies: 100, misses: 0 } },
    });
  });
});

describe('the controller that docs/controllers.md shows', () => {
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
