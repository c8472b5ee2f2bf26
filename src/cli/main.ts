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
  play: async (config) => (await import('./play.js')).play(config),
  runFleet: async ({ vehicleIds, ddsDomain: domainId, networkInterface, initialPeers }) => {
    const { runFleet } = await import('../lab/index.js');
    const { labNetwork } = await import('../node/index.js');
    const network = await labNetwork({ domainId, networkInterface, initialPeers });
    return runFleet(vehicleIds, network, (text) => process.stderr.write(`${text}\n`));
  },
});
