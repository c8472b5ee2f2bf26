#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { execute } from './execute.js';

const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

for (const stream of [process.stdout, process.stderr]) {
  // A reader that goes away (`| head`), a full disk or a closed terminal ends no run.
  stream.on('error', () => undefined);
}

/** Resolves when all output is written, or after a second without a reader. */
function written(stream: NodeJS.WriteStream): Promise<unknown> {
  const out = new Promise((resolve) => stream.write('', resolve));
  return Promise.race([out, wait(flushMs)]);
}

const flushMs = 1000;
let exitNow: ((exitCode: number) => void) | undefined;

/** For a command that runs until a signal ends it: it may outlive its terminal. */
async function lasting<T>(run: () => Promise<T>): Promise<T> {
  ({ exitNow } = await import('../dds/index.js'));
  return run();
}

process.exitCode = await execute(process.argv.slice(2), {
  version,
  environment: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  // Loaded only when it is needed, so that help and errors come at once.
  runMiddleware: (config) =>
    lasting(async () => (await import('./run-guarded.js')).runGuarded(config)),
  runGuard: (config, guard) =>
    lasting(async () => (await import('../guard/index.js')).runGuard(config, guard)),
  play: (config, lab) => lasting(async () => (await import('./play.js')).play(config, lab)),
  lab: () => lasting(() => import('./run-lab.js')),
  gateways: () => lasting(() => import('./run-gateways.js')),
  certify: async (config, values, command) =>
    (await import('./run-certification.js')).runCertification(config, values, command, version),
  observe: async (config, controlSocket, values) =>
    (await import('./observe.js')).observe(config, controlSocket, values),
  recordings: () => import('./recordings.js'),
  runDoctor: async (config, options) =>
    (await import('../doctor/index.js')).runDoctor(config, options),
});
if (exitNow !== undefined) {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  try {
    exitNow(process.exitCode);
  } catch {
    // Without the add-on Node's own end has nothing to close.
  }
}
