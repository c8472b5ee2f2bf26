import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { run } from './deployment.mjs';

/** @import { Companion } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */

const program = [process.execPath, path.join(root, 'dist/cli/main.js')];

/**
 * The product with an observer and a recorder; the reference is the product alone. A recorder that loses
 * the middleware fails the run.
 * @param {Load} load
 * @param {Side} side
 */
export async function observed(load, side) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hlc-bench-observed-'));
  const socket = path.join(folder, 'a.sock');
  const flag = `--control-socket=${socket}`;
  const recording = path.join(folder, 'run.mcap');
  /** @type {readonly Companion[]} */
  const both = [
    {
      name: 'the observer',
      command: [...program, 'observe', '--port=0', flag],
      ready: 'page to look at',
    },
    { name: 'the recorder', command: [...program, 'record', recording, flag], ready: '' },
  ];
  try {
    const environment = { HLC_MIDDLEWARE_CONTROL_SOCKET: socket };
    const beside = side === 'product' ? both : [];
    return await run(load, 'product', { environment, beside });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
