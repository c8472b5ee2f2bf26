import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { execute } from '../../../src/cli/execute.js';
import { parseRunConfig } from '../../../src/config/index.js';
import { parseDancersConfig } from '../../../src/gateways/dancers/protocol/config.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import { parseQosFile } from '../../../src/dds/qos/parse-qos-file.js';
import { allPages, codeBlocks, onlyBlock, pageOf, type Page } from '../../support/markdown.js';
import { emptyReport, noGateways, noLab, noRecordings } from '../cli/run.js';

interface CommandLine {
  readonly page: string;
  /** Without the name of the program. */
  readonly text: string;
}

/** The lines in blocks for the shell that start the program. */
function commandLines(page: Page): CommandLine[] {
  const lines = codeBlocks(page, 'sh').flatMap(({ text }) =>
    text.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const start = /^(?:npx hlc-middleware|hlc-middleware|exec node \S+\/dist\/cli\/main\.js) /;
  return lines
    .filter((line) => start.test(line))
    .map((line) => ({ page: page.name, text: line.replace(start, '').replace(' "$@"', '') }));
}

/** Runs a command line up to where the middleware or the vehicles would start. */
async function tryCommand(text: string): Promise<{ exitCode: number; error: string }> {
  let error = '';
  const words = text.match(/(?:[^ "]|"[^"]*")+/g) ?? [];
  const argv = words.map((word) => word.replaceAll('"', ''));
  const exitCode = await execute(argv, {
    version: '0',
    // Where no middleware listens.
    environment: { XDG_RUNTIME_DIR: '/nonexistent' },
    readFile: () => '',
    write: () => undefined,
    writeError: (line) => (error += line),
    runMiddleware: () => Promise.resolve(0),
    runGuard: () => Promise.resolve(0),
    play: () => Promise.resolve(0),
    observe: () => Promise.resolve(0),
    lab: () => Promise.resolve(noLab),
    gateways: () => Promise.resolve(noGateways),
    recordings: () => Promise.resolve(noRecordings),
    runDoctor: () => Promise.resolve({ text: '', exitCode: 0 }),
    certify: () => Promise.resolve({ reports: [emptyReport], exitCode: 0 }),
  });
  return { exitCode, error };
}

const lines = allPages().flatMap(commandLines);

describe('the documentation', () => {
  it.each(lines)('of $page shows a command line that is accepted: $text', async ({ text }) => {
    const { exitCode, error } = await tryCommand(text);
    // A command that talks to a middleware is understood when only the middleware is missing.
    if (error.includes('HLC_CONTROL_NOBODY')) expect(exitCode).toBe(1);
    // A lab is not installed when only its folder is missing.
    else if (error.includes('HLC_INSTALL_FOLDER')) expect(exitCode).toBe(2);
    else expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  });

  it('shows how to run it, in a lab and without one', () => {
    const pages = lines.map(({ page }) => page);
    expect(pages.filter((page) => page === 'README.md').length).toBeGreaterThanOrEqual(5);
    expect(pages.filter((page) => page === 'docs/reference/compatibility.md')).toHaveLength(1);
  });

  it.each([
    ['carla', 'examples/mixed/carla_client.py'],
    ['cave', 'examples/mixed/cave_client.py'],
    ['dancers', 'examples/mixed/dancers_network.py'],
    ['synchrono', 'examples/synchrono/node'],
  ])('of the gateway %s starts a client of this project', (gateway, client) => {
    const blocks = codeBlocks(pageOf(`docs/guide/${gateway}.md`), 'sh');
    expect(blocks.map(({ text }) => text).join('')).toContain(client);
  });

  const dancersPage = 'docs/guide/dancers.md';
  const files = allPages()
    .filter(({ name }) => name !== dancersPage)
    .flatMap((page) => codeBlocks(page, 'yaml').map(({ text }) => ({ page: page.name, text })));

  it.each(files)('of $page shows a configuration file that is accepted', ({ text }) => {
    expect(() => parseRunConfig(['--config=file.yaml'], {}, () => text)).not.toThrow();
  });

  it('of DANCERS shows a configuration that is accepted', () => {
    const text = onlyBlock(pageOf(dancersPage), 'yaml');
    expect(parseDancersConfig({ path: 'run.yaml', text }).lengthS).toBe(60);
  });
});

describe('docs/guide/qos.md', () => {
  it('shows a QoS file that changes what it says and nothing else', () => {
    const text = onlyBlock(pageOf('docs/guide/qos.md'), 'xml');
    const { profiles, warnings } = parseQosFile(text, 'docs/guide/qos.md', loadShippedQos());
    const changed = profiles.get('MyLab::Controller');
    const shipped = profiles.get('HlcMiddleware::Controller');
    expect(warnings).toEqual([]);
    expect(changed?.qosFor('writer', 'vehicleStateList')).toEqual({
      ...shipped?.qosFor('writer', 'vehicleStateList'),
      history: { kind: 'keep-last', depth: 5 },
    });
    expect(changed?.qosFor('writer', 'systemTrigger')).toEqual(
      shipped?.qosFor('writer', 'systemTrigger'),
    );
  });
});

describe('docs/guide/controllers.md', () => {
  it('shows a controller in C in under 60 lines', () => {
    const program = onlyBlock(pageOf('docs/guide/controllers.md'), 'c');
    expect(program).toContain('int main(void)');
    expect(program.trimEnd().split('\n').length).toBeLessThan(60);
  });

  const examples = {
    c: ['controller.c', 'oval.c', 'oval.h'],
    cpp: ['controller.cpp', 'oval.hpp'],
    python: ['controller.py', 'messages.py', 'oval.py'],
    rust: ['src/main.rs', 'src/oval.rs'],
    typescript: ['oval-controller.ts', 'oval.ts'],
  };

  it.each(Object.entries(examples))('is right about the length of examples/%s', (name, files) => {
    const lines = files.flatMap((file) =>
      readFileSync(`examples/${name}/${file}`, 'utf8')
        .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
        .replaceAll(/(?:^|:\n\s*)"""[^]*?"""$/gm, '')
        .split('\n')
        .filter((line) => line.trim() !== '' && (name !== 'python' || !/^\s*#/.test(line))),
    );
    expect(lines.length).toBeGreaterThan(90);
    expect(lines.length).toBeLessThan(120);
  });
});
