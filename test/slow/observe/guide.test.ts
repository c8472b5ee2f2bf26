import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { codeBlocks, onlyBlock, pageOf, sectionOf } from '../../support/markdown.js';
import { cliProgram } from '../../support/middleware.js';
import { folderInProject, temporaryFolder } from '../../support/temporary-folder.js';

const section = sectionOf(
  pageOf('docs/guide/observe.md'),
  'A recorded run, a test in CI, a report',
);

/** A terminal in the folder of a reader, in a lab of its own. */
class Terminal {
  readonly #folder = folderInProject();
  readonly #uri = loopbackUri(isolatedCycloneUri());
  readonly #variables = { XDG_RUNTIME_DIR: temporaryFolder() };

  /** Without npx, which waits for ever where it cannot write to its cache in the home folder. */
  start(command: string): ChildProgram {
    const built = command.replace('npx hlc-middleware', `'${process.execPath}' '${cliProgram}'`);
    const args = ['-ec', `cd "$0"\n${built}`, this.#folder];
    const options = { variables: this.#variables, group: true };
    return new ChildProgram(command, 'sh', args, this.#uri, options);
  }

  /**
   * Runs these commands at the same time, until the first one that fails. @returns the lines of the
   * first one
   */
  async run(exitCode: number, ...commands: readonly string[]): Promise<readonly string[]> {
    const programs = commands.map((command) => this.start(command));
    const output = () =>
      programs.flatMap(({ stdout, stderr }) => [...stdout.items, ...stderr.items]).join('\n');
    const ends = programs.map(async ({ ended }) =>
      expect(await ended, output()).toEqual({ code: exitCode, signal: null }),
    );
    await Promise.race([Promise.all(ends), inVain(output)]);
    return programs[0]?.stdout.items ?? [];
  }

  read(name: string): string {
    return readFileSync(path.join(this.#folder, name), 'utf8');
  }

  write(name: string, text: string): void {
    writeFileSync(path.join(this.#folder, name), text);
  }
}

/** Fails after a time that none of the commands needs on a busy machine, with what they wrote. */
async function inVain(output: () => string): Promise<never> {
  await setTimeout(100_000, undefined, { ref: false });
  throw new Error(`still running after 100 s:\n${output()}`);
}

/** The page has enough periods for a person to look at; as many take a busy machine minutes. */
const periods = { page: '--periods=8000', test: '--periods=1000' };

it('docs/guide/observe.md leads to a recording, a replay that fails, a comparison and a report', async () => {
  const commands = codeBlocks(section, 'sh').map(({ text }) => text.trim());
  expect(commands).toHaveLength(6);
  const [page = '', controller = '', rules = '', replay = '', compare = '', report = ''] = commands;
  expect(page).toContain(periods.page);
  const play = page.replace(periods.page, periods.test);
  const terminal = new Terminal();
  const program = onlyBlock(pageOf('docs/guide/first-drive.md'), 'ts');
  terminal.write('controller.mjs', program);
  await terminal.run(0, play, controller);
  expect(await terminal.run(0, rules)).toContain('All effects are the same.');
  expect(await terminal.run(0, replay)).toContain('All commands are the same.');
  expect(terminal.read('replay.xml')).toContain('failures="0"');

  const change = /Change the curvature in `controller\.mjs` from (\S+) to (\S+) and/;
  const [, before = '', after = ''] = change.exec(section.text) ?? [];
  terminal.write('controller.mjs', program.replace(`curvature: ${before}`, `curvature: ${after}`));
  const difference = onlyBlock(section, 'text').trim();
  expect(await terminal.run(1, replay)).toContain(difference);
  expect(terminal.read('replay.xml')).toContain(`<failure message="${difference}">`);

  await terminal.run(0, play.replace('drive.mcap', 'changed.mcap'), controller);
  const paths = (await terminal.run(0, compare)).at(-1);
  expect(paths).toMatch(
    /^Vehicle 1: at the same time, B is (?!0\.000)\d+\.\d+ m from A on average/,
  );
  expect(await terminal.run(0, report)).toEqual(['drive.html']);
  const html = terminal.read('drive.html');
  expect(html).toContain('<svg');
  expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(/);
});
