import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { vehicleRateHz } from './load.mjs';

/** @import { Load, Side } from './load.mjs' */
/** @import { Manner } from './deployment.mjs' */

/** Rarely used domains: programs outside the bench send nothing to these ports. */
const labDomain = 40;
const controllerDomain = 41;
const synchronoDomain = 42;

const main = 'dist/cli/main.js';

/**
 * @param {Load} load
 * @param {Side} side
 * @param {string} summaryFile file for the summary of the product
 * @param {Manner} manner of the product
 * @returns {string[]}
 */
export function middlewareCommand(load, side, summaryFile, { nodeFlags = [], script = main }) {
  const common = [
    `--vehicle-ids=${ids(load.controllers)}`,
    `--dds-domain=${labDomain}`,
    `--domain-number=${controllerDomain}`,
    `--period-ms=${load.periodMs}`,
    `--periods=${load.periods}`,
    ...priority(load),
  ];
  if (side !== 'product') {
    const reference = load.time === 'simulated' ? 'lockstep-reference' : 'realtime-reference';
    return [binary(reference), ...common, `--vehicles=${load.vehicles}`];
  }
  return [
    process.execPath,
    ...nodeFlags,
    path.join(root, script),
    'run',
    ...common,
    `--active-vehicle-ids=${ids(load.vehicles)}`,
    ...(load.time === 'simulated'
      ? ['--simulated-time', '--time-source=self']
      : // A controller that gets no processor for a while stays in the measurement.
        ['--wait-for-start=false', '--resume=auto']),
    `--summary=${summaryFile}`,
    '--table=off',
    '--log-format=json',
  ];
}

/** @param {Load} load */
export function vehiclesCommand(load) {
  const rate = load.time === 'real' ? vehicleRateHz : 0;
  return [
    binary('vehicles'),
    `--vehicle-ids=${ids(load.vehicles)}`,
    `--domain=${labDomain}`,
    `--rate-hz=${rate}`,
    ...(load.events === undefined ? [] : [`--events=${load.events.forwarding}`]),
    ...priority(load),
  ];
}

/**
 * One command per process; the controllers are dealt out in turn.
 * @param {Load} load
 */
export function controllerCommands(load) {
  return Array.from({ length: load.processes }, (_, process_) => {
    const own = listOfIds(load.controllers).filter((id) => id % load.processes === process_);
    return [
      binary('controller'),
      `--vehicle-ids=${own.join(',')}`,
      `--domain=${controllerDomain}`,
      `--points=${load.points}`,
      `--vehicles=${load.vehicles}`,
      `--period-ns=${load.periodMs * 1_000_000}`,
      `--skip=${load.skip}`,
      `--stamp-clock=${load.time === 'real' ? 1 : 0}`,
      ...(load.events === undefined ? [] : [`--events=${load.events.lateness}`]),
      ...priority(load),
    ];
  });
}

/** Keeps every core busy. */
export function busyCommand() {
  return [binary('busy-cores')];
}

/** @param {number} port */
export function carlaGatewayCommand(port) {
  return gateway('carla', port, ['--vehicle-ids=1', `--domain-number=${controllerDomain}`]);
}

/**
 * @param {number} port
 * @param {string} vehicleIds
 */
export function caveGatewayCommand(port, vehicleIds) {
  return gateway('cave', port, [`--ids=${vehicleIds}`]);
}

/**
 * @param {string} name
 * @param {number} port
 * @param {readonly string[]} flags
 */
function gateway(name, port, flags) {
  return productCommand('gateway', name, `--port=${port}`, `--dds-domain=${labDomain}`, ...flags);
}

/** @param {string} config file @param {readonly string[]} flags */
export function dancersGatewayCommand(config, flags) {
  const domains = [`--dds-domain=${labDomain}`, `--domain-number=${controllerDomain}`];
  return productCommand('gateway', 'dancers', `--config=${config}`, ...domains, ...flags);
}

/** A side of a DANCERS run. @param {string} socket @param {string} answers file @param {number} skip */
export function dancersSideCommand(socket, answers, skip) {
  return [binary('dancers-side'), `--socket=${socket}`, `--answers=${answers}`, `--skip=${skip}`];
}

/** The coordinator that is the reference. @param {number} windows @param {readonly string[]} sockets */
export function dancersReferenceCommand(windows, sockets) {
  return ['python3', path.join(root, 'bench/dancers-reference.py'), String(windows), ...sockets];
}

/** The gateway to SynChrono; the agents of node 1 are vehicles from 101 on. @param {number} agents */
export function synchronoGatewayCommand(agents) {
  const map = listOfIds(agents).map((agent) => `1.${agent}:${100 + agent}`);
  const domains = [`--dds-domain=${labDomain}`, `--domain=${synchronoDomain}`];
  const flags = [...domains, '--vehicle-ids=1', `--map=${map.join(',')}`];
  return productCommand('gateway', 'synchrono', ...flags);
}

/** A simulated vehicle of the product. */
export function fleetCommand() {
  return productCommand('fleet', '--vehicle-ids=1', `--dds-domain=${labDomain}`);
}

/** Node 1 of SynChrono. @param {number} agents @param {number} heartbeats */
export function synchronoNodeCommand(agents, heartbeats) {
  const size = [`--agents=${agents}`, `--heartbeats=${heartbeats}`, '--writers=1'];
  const program = path.join(root, 'build/examples/synchrono/node');
  return [program, `--domain=${synchronoDomain}`, '--loopback=1', '--quiet=1', ...size];
}

/** A lab control of simulated time for a gateway and a middleware. */
export function labControlCommand() {
  const flags = ['--simulated-time', '--participants=2', `--dds-domain=${labDomain}`];
  return productCommand('lab', ...flags);
}

/** A middleware with one controller in the time of a lab. @param {number} periodMs */
export function labMiddlewareCommand(periodMs) {
  return productCommand(
    ...['run', '--vehicle-ids=1', '--simulated-time', '--wait-for-start=true'],
    ...[`--dds-domain=${labDomain}`, `--domain-number=${controllerDomain}`],
    ...[`--period-ms=${periodMs}`, '--table=off', '--log-format=json', '--control-socket=off'],
  );
}

/** The controller of examples/c, which takes a start signal without states. */
export function exampleControllerCommand() {
  const program = path.join(root, 'build/examples/c/controller');
  return [program, '--vehicle-id', '1', '--domain', String(controllerDomain)];
}

/** @param {readonly string[]} args */
function productCommand(...args) {
  return [process.execPath, path.join(root, main), ...args];
}

/** A client of a CARLA server. @param {number} port @param {Load} load */
export function carlaClientCommand(port, { skip }) {
  return [binary('carla-client'), `--port=${port}`, `--skip=${skip}`];
}

/** The server that is the reference of the gateway for CAVE clients. @param {number} port */
export function caveReferenceCommand(port) {
  return [binary('cave-reference'), `--port=${port}`];
}

/**
 * Clients of a CAVE server.
 * @param {number} port
 * @param {{ clients: number, elements: number, skip: number, packets: number }} size packets: of each,
 *   without those that are skipped
 */
export function caveClientsCommand(port, size) {
  const flags = Object.entries(size).map(([name, value]) => `--${name}=${value}`);
  return [binary('cave-clients'), `--port=${port}`, `--rate-hz=${vehicleRateHz}`, ...flags];
}

/**
 * Ends well when this user may do what a load with this priority needs.
 * @param {number} wanted
 */
export function priorityTrialCommand(wanted) {
  return [binary('priority-trial'), priorityFlag(wanted)];
}

/** @param {Load} load */
function priority(load) {
  return load.priority === undefined ? [] : [priorityFlag(load.priority)];
}

/** The flag is the same for the product and for the programs in C. @param {number} wanted */
function priorityFlag(wanted) {
  return `--realtime-priority=${wanted}`;
}

/** @param {string} name */
function binary(name) {
  return path.join(root, 'build/bench', name);
}

/** @param {number} count */
function listOfIds(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** @param {number} count */
function ids(count) {
  return listOfIds(count).join(',');
}
