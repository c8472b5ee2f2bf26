// Clients of other systems beside two controllers on DDS, in one lab:
// `node examples/mixed/run.mjs`: CARLA and CAVE, in real time. Takes 10 s and prints who took part.
// `node examples/mixed/run.mjs --simulated-time`: DANCERS and SynChrono as well, two times, and compares.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { topics } from '../../dist/messages/index.js';
import { readRecording } from '../../dist/record/index.js';

const folder = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(folder, '../..');
const program = path.join(root, 'dist/cli/main.js');
const synchronoNode = path.join(root, 'build/examples/synchrono/node');
const carlaPort = process.env.CARLA_PORT ?? '2000';
const cavePort = process.env.CAVE_PORT ?? '8082';
const synchronoDomain = process.env.SYNCHRONO_DOMAIN ?? '33';
const periods = process.env.PERIODS ?? '200';
/** File that keeps the recording of the last run; undefined: none is kept. */
const keptRecording = process.env.RECORDING;
const periodMs = 50;
const [flag, ...more] = process.argv.slice(2);
if ((flag !== undefined && flag !== '--simulated-time') || more.length > 0) {
  console.error('Usage: node examples/mixed/run.mjs [--simulated-time]');
  process.exit(flag === '--help' ? 0 : 2);
}
const inSimulatedTime = flag === '--simulated-time';
/** Metres within which two radios reach each other. */
const radioRange = '3';

/** By vehicle id: who drives it. */
const drivers = {
  1: 'controller on DDS',
  2: 'controller on DDS',
  3: 'CARLA client',
  100: 'CAVE client',
  ...(inSimulatedTime ? { 101: 'SynChrono node' } : {}),
};
const vehicleIds = Object.keys(drivers).map(Number);

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
/** Programs that are being ended. @type {Set<Program['child']>} */
const ending = new Set();
/** Exit codes from here on mean a signal. */
const firstSignalCode = 128;
/** @type {(reason: Error) => void} */
let fail = () => undefined;
/** Rejects when a program fails: the others would wait for it without end. @type {Promise<never>} */
const failed = new Promise((_, reject) => {
  fail = reject;
});
// It is awaited while a lab runs.
failed.catch(() => undefined);

/**
 * @param {readonly string[]} command with its arguments
 * @param {'inherit' | 'ignore'} output
 * @returns {Program}
 */
function start([file = '', ...args], output) {
  const child = spawn(file, args, { stdio: ['pipe', output, 'pipe'] });
  const lines = createInterface(child.stderr);
  /** @type {string[]} */
  const said = [];
  lines.on('line', (/** @type {string} */ line) => said.push(line));
  const program = { child, lines, exited: once(child, 'exit') };
  running.push(program);
  child.on('close', (code) => {
    const isFailure = code !== null && code > 0 && code < firstSignalCode && !ending.has(child);
    const command = [file, ...args].map((arg) => path.basename(arg)).join(' ');
    if (isFailure) fail(new Error(`failed: ${command}\n${said.join('\n')}`));
  });
  return program;
}

/** @param {string[]} args */
function startCommand(...args) {
  return start([process.execPath, program, ...args], 'ignore');
}

/** A client of another system; its errors are shown. @param {string[]} command with its arguments */
function startClient(...command) {
  const client = start(command, 'inherit');
  client.lines.on('line', (/** @type {string} */ line) => console.error(line));
  return client;
}

/** @param {string} file @param {string[]} args */
function startPython(file, ...args) {
  return startClient('python3', path.join(folder, file), ...args);
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

/** @param {Program[]} programs are ended one after the other */
async function end(...programs) {
  for (const { child, exited } of programs) {
    ending.add(child);
    child.kill('SIGTERM');
    await exited;
  }
}

/** Vehicles 1 to 3 in real time. */
function startLab() {
  startCommand('fleet', '--vehicle-ids=1,2,3');
  return {
    // Ten programs share this computer: one that waits for it a little is no reason for a stop.
    flags: ['--wait-for-start=false', '--miss-limit=10'],
    stop: () => Promise.resolve(),
  };
}

/**
 * Vehicles 1 to 3 as the physics side of a DANCERS run with radios, and a SynChrono node with vehicle
 * 101. They, the gateway to CAVE and the middleware share the time of the lab control.
 * @param {string} results folder
 */
async function startSimulatedLab(results) {
  const config = path.join(results, 'run.yaml');
  const [physics, network] = ['physics', 'network'].map((side) => path.join(results, side));
  writeFileSync(
    config,
    `sync_window: ${periodMs * 1000} # microseconds
phy_step_size: 10000
net_step_size: ${periodMs * 1000}
simulation_length: 0
phy_use_uds: true
net_use_uds: true
phy_uds_server_address: ${physics}
net_uds_server_address: ${network}
`,
  );
  const labControl = startCommand('lab', '--simulated-time', '--participants=4');
  const dancers = startCommand(
    ...['gateway', 'dancers', `--config=${config}`, '--lab', '--ids=1,2,3', '--commands=velocity'],
  );
  await untilLine(dancers, 'the network side is expected');
  startCommand('fleet', `--physics=${config}`, '--vehicle-ids=1,2,3');
  const radios = startPython('dancers_network.py', network ?? '', radioRange);
  const synchrono = startCommand(
    ...['gateway', 'synchrono', '--simulated-time', `--domain=${synchronoDomain}`],
    ...['--vehicle-ids=1,2', '--map=1.1:101'],
  );
  await untilLine(synchrono, 'the agents of node 2');
  const node = startClient(
    ...[synchronoNode, '--loopback=1', `--domain=${synchronoDomain}`],
    ...['--heartbeats=1000000', '--quiet=1'],
  );
  return {
    flags: ['--simulated-time', '--wait-for-start=true'],
    async stop() {
      labControl.child.stdin?.write('stop\n');
      await Promise.all([dancers, radios, synchrono, node].map(({ exited }) => exited));
      await end(labControl);
    },
  };
}

/** @param {Summary} summary @param {number} whole start signals with the states of all vehicles */
function printSummary({ start_signals: startSignals, controllers, vehicles }, whole) {
  console.log(`\n${startSignals} start signals, ${whole} with the states of all vehicles:`);
  for (const [id, driver] of Object.entries(drivers)) {
    const driven = (vehicles[id]?.distance_m ?? 0).toFixed(1);
    const { replies, misses } = controllers[id] ?? {};
    const kept = replies === undefined ? '' : ` ${replies} replies, ${misses} misses,`;
    console.log(`  vehicle ${id}: ${driver},${kept} ${driven} m`);
  }
}

/**
 * The digest of the bytes of all start signals of a recording, and how many have the states of all vehicles.
 * @param {string} recording file
 */
async function startSignalsOf(recording) {
  const hash = createHash('sha256');
  let whole = 0;
  for await (const item of readRecording(recording)) {
    if (item.kind !== 'message' || item.channel.topic !== '/controllers/vehicleStateList') continue;
    hash.update(item.message.data);
    const { state_list: states } = topics.vehicleStateList.codec.decode(item.message.data);
    const listed = new Set(states.map(({ vehicle_id: id }) => id));
    if (vehicleIds.every((id) => listed.has(id))) whole++;
  }
  return { digest: hash.digest('hex'), whole };
}

/** Runs the lab once. @returns {Promise<string>} the digest of its start signals */
async function run() {
  const results = mkdtempSync(path.join(tmpdir(), 'hlc-mixed-'));
  try {
    return await Promise.race([runLab(results), failed]);
  } finally {
    await end(...running.splice(0));
    rmSync(results, { recursive: true, force: true });
  }
}

/** @param {string} results folder @returns {Promise<string>} the digest of its start signals */
async function runLab(results) {
  const summary = path.join(results, 'summary.json');
  const recording = path.join(results, 'run.mcap');
  const lab = inSimulatedTime ? await startSimulatedLab(results) : startLab();
  startCommand('drive', '--vehicle-ids=1');
  startCommand('drive', '--vehicle-ids=2');
  const carla = startCommand('gateway', 'carla', '--vehicle-ids=3', `--port=${carlaPort}`);
  const waits = inSimulatedTime ? ['--simulated-time', '--clients=1'] : [];
  const cave = startCommand('gateway', 'cave', '--ids=100', `--port=${cavePort}`, ...waits);
  await Promise.all([untilLine(carla, 'CARLA clients'), untilLine(cave, 'CAVE clients')]);
  const pace = inSimulatedTime ? ['--paced'] : [];
  const caveClient = startPython('cave_client.py', cavePort, ...pace);
  const carlaClient = startPython('carla_client.py', carlaPort);
  const middleware = startCommand(
    ...['run', '--vehicle-ids=1,2,3', `--active-vehicle-ids=${vehicleIds.join(',')}`],
    ...[`--period-ms=${periodMs}`, `--periods=${periods}`, '--log-level=error'],
    ...[`--summary=${summary}`, `--record=${recording}`],
    ...[`--control-socket=${path.join(results, 'control')}`, ...lab.flags],
  );
  await middleware.exited;
  await end(carla);
  await carlaClient.exited;
  await end(caveClient, cave);
  await lab.stop();
  if (keptRecording !== undefined) copyFileSync(recording, keptRecording);
  const { digest, whole } = await startSignalsOf(recording);
  /** @type {unknown} */
  const written = JSON.parse(readFileSync(summary, 'utf8'));
  printSummary(/** @type {Summary} */ (written), whole);
  return digest;
}

if (inSimulatedTime && !existsSync(synchronoNode)) {
  console.error('Build the SynChrono node first: examples/synchrono/README.md.');
  process.exit(2);
}
try {
  const first = await run();
  if (inSimulatedTime) {
    const same = first === (await run());
    console.log(`\nBoth runs have ${same ? 'the same' : 'different'} start signals, byte by byte.`);
    if (!same) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
