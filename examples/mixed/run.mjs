// Two DDS controllers, a CARLA client and a CAVE client in one lab:
// `node examples/mixed/run.mjs`. Takes 10 s and prints who took part.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(folder, '../../dist/cli/main.js');
const carlaPort = process.env.CARLA_PORT ?? '2000';
const cavePort = process.env.CAVE_PORT ?? '8082';
const periods = Number(process.env.PERIODS ?? '200');
/** Vehicles 1 and 2 have controllers on DDS, vehicle 3 the CARLA client; the CAVE client has 100. */
const kinds = { 1: 'controller on DDS', 2: 'controller on DDS', 3: 'CARLA client' };

/**
 * @typedef {{
 *   child: import('node:child_process').ChildProcess,
 *   lines: import('node:readline').Interface,
 *   exited: Promise<unknown>,
 * }} Program A running program with its lines on standard error.
 *
 * @typedef {{
 *   start_signals: number,
 *   controllers: Record<string, { replies: number, misses: number }>,
 *   vehicles: Record<string, { distance_m: number }>,
 * }} Summary What the middleware writes at its end, as far as it is shown here.
 */

/** @type {Program[]} */
const running = [];

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Program}
 */
function start(command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const lines = createInterface(child.stderr);
  const program = { child, lines, exited: once(child, 'exit') };
  running.push(program);
  return program;
}

/** @param {string[]} args */
function startCommand(...args) {
  return start(process.execPath, program, ...args);
}

/**
 * A client in Python; what goes wrong there is shown.
 * @param {string} file
 * @param {string} port
 */
function startClient(file, port) {
  const client = start('python3', path.join(folder, file), port);
  client.lines.on('line', (/** @type {string} */ line) => console.error(line));
  return client;
}

/**
 * Settles when a program has written a line on standard error that begins like this.
 * @param {Program} program
 * @param {string} beginning
 */
function untilLine({ lines }, beginning) {
  return new Promise((resolve) => {
    lines.on('line', (/** @type {string} */ line) => {
      if (line.startsWith(beginning)) resolve(line);
    });
  });
}

/** @param {Program} program */
async function end({ child, exited }) {
  child.kill('SIGTERM');
  await exited;
}

const results = mkdtempSync(path.join(tmpdir(), 'hlc-mixed-'));
const summaryFile = path.join(results, 'summary.json');
try {
  startCommand('fleet', '--vehicle-ids=1,2,3');
  startCommand('drive', '--vehicle-ids=1');
  startCommand('drive', '--vehicle-ids=2');
  const carla = startCommand('gateway', 'carla', '--vehicle-ids=3', `--port=${carlaPort}`);
  const cave = startCommand('gateway', 'cave', '--ids=100', `--port=${cavePort}`);
  await Promise.all([untilLine(carla, 'CARLA clients'), untilLine(cave, 'CAVE clients')]);
  const caveClient = startClient('cave_client.py', cavePort);
  const carlaClient = startClient('carla_client.py', carlaPort);
  const middleware = startCommand(
    'run',
    '--vehicle-ids=1,2,3',
    '--active-vehicle-ids=1,2,3,100',
    '--period-ms=50',
    '--wait-for-start=false',
    '--control-socket=off',
    '--log-level=error',
    `--periods=${periods}`,
    `--summary=${summaryFile}`,
  );
  await middleware.exited;
  await end(carla);
  await carlaClient.exited;
  await end(caveClient);

  /** @type {unknown} */
  const written = JSON.parse(readFileSync(summaryFile, 'utf8'));
  const summary = /** @type {Summary} */ (written);
  const driven = (/** @type {string} */ id) => (summary.vehicles[id]?.distance_m ?? 0).toFixed(1);
  console.log(`\n${summary.start_signals} start signals with the states of all vehicles:`);
  for (const [id, kind] of Object.entries(kinds)) {
    const { replies = 0, misses = 0 } = summary.controllers[id] ?? {};
    console.log(`  vehicle ${id}: ${kind}, ${replies} replies, ${misses} misses, ${driven(id)} m`);
  }
  console.log(`  vehicle 100: CAVE client, ${driven('100')} m`);
} finally {
  for (const { child } of running) child.kill('SIGTERM');
  rmSync(results, { recursive: true, force: true });
}
