// `npm run test:faults`: the fault table. Runs every fault test, or those of the named rows, and
// prints one line per row and mode: what is expected and what was measured.
//   npm run test:faults -- 8 13             these rows only
//   npm run test:faults -- --update-docs    when all rows pass, also writes docs/reference/faults.md
//   npm run test:faults -- --replay         also replays the rules over what each middleware did

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { faultPage, pageFile } from './fault-page.mjs';
import { faultTable, readFaultRows } from './fault-table.mjs';
import { describeMachine } from './machine.mjs';
import { root } from './paths.mjs';

const { values, positionals } = parseArgs({
  options: {
    'update-docs': { type: 'boolean', default: false },
    replay: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const wrong = positionals.find((row) => !/^\d+$/.test(row));
if (wrong !== undefined) {
  console.error(`test:faults: "${wrong}" is not the number of a row.`);
  process.exit(2);
}
const updateDocs = values['update-docs'];
if (updateDocs && positionals.length > 0) {
  console.error('test:faults: --update-docs needs a run of all rows; leave out the numbers.');
  process.exit(2);
}

const report = path.join(root, 'build/test-reports/faults.json');
const machine = describeMachine('build/native');
rmSync(report, { force: true });
mkdirSync(path.dirname(report), { recursive: true });
const args = [
  path.join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project=stops',
  '--project=faults',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
if (positionals.length > 0) args.push(`--testNamePattern=row (${positionals.join('|')}),`);
// Standard output is for the table.
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  env: { ...process.env, ...(values.replay && { HLC_REPLAY_RULES: '1' }) },
  stdio: ['inherit', process.stderr.fd, 'inherit'],
});
if (!existsSync(report)) process.exit(status ?? 1);
const rows = readFaultRows(report).filter(
  ([row = '']) => positionals.length === 0 || positionals.includes(row),
);
console.log(faultTable(rows));
const isGreen = status === 0 && rows.length > 0;
if (updateDocs && isGreen) writeFileSync(path.join(root, pageFile), faultPage(machine, rows));
process.exit(isGreen ? 0 : 1);
