#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { execute } from './execute.js';

const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

for (const stream of [process.stdout, process.stderr]) {
  // Who reads along may go away (`| head`); that is no reason to stop.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await execute(process.argv.slice(2), {
  version,
  environment: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  // Loaded only when it is needed, so that help and errors come at once.
  runMiddleware: async (config) => (await import('../node/index.js')).runMiddleware(config),
  play: async (config, lab) => (await import('./play.js')).play(config, lab),
  runFleet: async (config, lab) => (await import('./run-lab.js')).runLabFleet(config, lab),
  runCheck: async (config, check, command) =>
    (await import('./run-certification.js')).runCertification(config, check, command),
  runDriver: async (config, lab) => (await import('./run-lab.js')).runLabDriver(config, lab),
  runLabControl: async (config, lab) => (await import('./run-lab.js')).runLab(config, lab),
  runDoctor: async (config, options) =>
    (await import('../doctor/index.js')).runDoctor(config, options),
});
