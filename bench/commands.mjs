import path from 'node:path';
import process from 'node:process';
import { root } from '../tools/paths.mjs';
import { vehicleRateHz } from './load.mjs';

/** @import { Load, Side } from './load.mjs' */
/** @import { Manner } from './deployment.mjs' */

/** Rarely used domains: programs outside the bench send nothing to these ports. */
const labDomain = 40;
const controllerDomain = 41;

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
  const common = [`--port=${port}`, `--dds-domain=${labDomain}`];
  return [process.execPath, path.join(root, main), 'gateway', name, ...common, ...flags];
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
