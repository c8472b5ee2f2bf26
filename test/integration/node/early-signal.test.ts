import { expect, it } from 'vitest';
import { parseRunConfig } from '../../../src/config/index.js';
import { runMiddleware } from '../../../src/node/index.js';
import { isolatedCycloneUri } from '../../support/isolation.js';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s while the sides are being opened ends the run', async (signal, code) => {
  process.env.CYCLONEDDS_URI = isolatedCycloneUri();
  const flags = ['--period-ms=50', '--wait-for-start=false', '--control-socket=off'];
  const config = parseRunConfig([...flags, '--log-level=silent'], {}, () => '');
  const run = runMiddleware(config);
  process.emit(signal, signal);
  expect(await run).toBe(code);
});
