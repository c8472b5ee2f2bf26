// `npm run fuzz`: a million broken samples for each codec of src/messages, and some through the DDS
// add-on. `npm run fuzz -- --samples=5000 --seed=7` makes fewer, from another seed.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
  },
});
if (!/^[1-9]\d*$/.test(values.samples) || !/^\d+$/.test(values.seed)) {
  console.error('fuzz: --samples and --seed are whole numbers.');
  process.exit(2);
}
console.log(`fuzz: seed ${values.seed}, ${values.samples} samples for each codec`);
const { status } = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, HLC_FUZZ_SAMPLES: values.samples, HLC_FUZZ_SEED: values.seed },
  },
);
process.exit(status ?? 1);
