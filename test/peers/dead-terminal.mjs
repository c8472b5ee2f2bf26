// A process whose terminal goes away, as `tmux kill-session` does it, and a process around it that
// survives and says how it ended. To be run on a terminal of its own:
//   dead-terminal.mjs around process.exit|exitNow <file>
// The file gets a line "ready", and then, when the terminal is gone, how the process ended, as JSON.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const [part, way = '', file = ''] = process.argv.slice(2);
const exitCode = 129;

/** @param {unknown} line */
const report = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

async function beOnTerminal() {
  const built = new URL('../../dist/dds/index.js', import.meta.url).href;
  /** @type {unknown} */
  const loaded = await import(built);
  const { DdsContext, exitNow } = /** @type {typeof import('../../src/dds/index.js')} */ (loaded);
  const context = DdsContext.open({
    onFault: (fault) => {
      throw fault;
    },
  });
  context.join({ domainId: 3, networkInterface: 'lo', initialPeers: [] });
  process.stdout.on('error', () => undefined);
  process.on('SIGHUP', () => (way === 'exitNow' ? exitNow(exitCode) : process.exit(exitCode)));
  setInterval(() => process.stdout.write('.'), 10);
  report(process.stdout.isTTY && process.stdin.isTTY ? 'ready' : 'no terminal');
}

function surround() {
  const args = [fileURLToPath(import.meta.url), 'within', way, file];
  const within = spawn(process.execPath, args, { stdio: 'inherit' });
  // The kernel sends it to the leader of the terminal's session only.
  process.on('SIGHUP', () => within.kill('SIGHUP'));
  within.on('exit', (code, signal) => {
    report({ code, signal });
    process.kill(process.pid, 'SIGKILL');
  });
}

if (part === 'within') await beOnTerminal();
else surround();
