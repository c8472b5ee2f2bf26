import path from 'node:path';
import { alternate } from './alternation.mjs';
import {
  carlaClientCommand,
  carlaGatewayCommand,
  caveClientsCommand,
  caveGatewayCommand,
  caveReferenceCommand,
  middlewareCommand,
  vehiclesCommand,
} from './commands.mjs';
import { cpuShare, run, unmeasured, watch, withPrograms } from './deployment.mjs';

/** @import { Companion, Turns } from './alternation.mjs' */
/** @import { Measurement, Quantiles } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */

/** Ports below those that a system gives out by itself. */
const carlaPort = 27_400;
const cavePort = 27_410;
/** 240 vehicles: the range of vehicle ids has room for them. */
const caveClients = { clients: 60, elements: 4 };
const caveIds = '0-239';

/** @type {readonly Companion[]} */
const bothGateways = [
  {
    name: 'the CARLA gateway',
    command: carlaGatewayCommand(carlaPort),
    ready: 'CARLA clients are served',
  },
  {
    name: 'the CAVE gateway',
    command: caveGatewayCommand(cavePort, '200-209'),
    ready: 'CAVE clients are served',
  },
  {
    name: 'a CAVE client',
    command: caveClientsCommand(cavePort, { clients: 1, elements: 1, skip: 0, packets: 3000 }),
    ready: '',
  },
];

/**
 * The client of a CARLA gateway is the only controller of a run in simulated time; the reference is a
 * controller in C on the controller side of the same middleware.
 * @param {Load} load
 * @param {Side} side
 * @returns {Promise<Measurement>}
 */
export function throughCarla(load, side) {
  if (side === 'reference') return run(load, 'product');
  return withPrograms(async (start, folder, watchOthers) => {
    const others = watchOthers();
    const summary = path.join(folder, 'summary.json');
    const middleware = start('the middleware', middlewareCommand(load, 'product', summary, {}));
    await middleware.untilOutput('waiting for controllers');
    await start('the vehicles', vehiclesCommand(load)).untilOutput('states sent');
    const gateway = start('the CARLA gateway', carlaGatewayCommand(carlaPort));
    await gateway.untilOutput('CARLA clients are served');
    const client = start('the CARLA client', carlaClientCommand(carlaPort, load));
    await middleware.untilDone();
    const report = /** @type {{ frames: number, per_second: number, step_us: Quantiles }} */ (
      await client.report()
    );
    if (report.frames !== load.periods) {
      throw new Error(`The client received ${report.frames} of ${load.periods} frames.`);
    }
    return {
      ...unmeasured,
      startSignalsPerSecond: report.per_second,
      stepP50Us: report.step_us.p50,
      otherShare: others.share(),
    };
  });
}

/**
 * Clients of a CAVE gateway; the reference is a server in C.
 * @param {Load} load
 * @param {Side} side
 * @returns {Promise<Measurement>}
 * @throws {Error} when an answer is missing
 */
export function caveWorld({ periods, skip }, side) {
  return withPrograms(async (start, _, watchOthers) => {
    const others = watchOthers();
    const command =
      side === 'product' ? caveGatewayCommand(cavePort, caveIds) : caveReferenceCommand(cavePort);
    const server = start('the CAVE server', command);
    await server.untilOutput('CAVE clients are served');
    const size = { ...caveClients, skip, packets: periods - skip };
    const clients = start('the CAVE clients', caveClientsCommand(cavePort, size));
    const usages = await watch(server, clients.untilDone());
    const report = /** @type {{ unanswered: number, answer_us: Quantiles }} */ (
      await clients.report()
    );
    if (report.unanswered > 0) throw new Error(`${report.unanswered} answers are missing.`);
    return {
      ...unmeasured,
      answerP99Us: report.answer_us.p99,
      cpuShare: cpuShare(usages),
      otherShare: others.share(),
    };
  });
}

/**
 * The product beside both gateways, with a client that sends at 50 Hz; the reference is the product alone.
 * @param {Pick<Turns, 'pairs' | 'blockMs'>} turns
 * @returns {NonNullable<Load['deployBoth']>}
 */
export function besideGateways(turns) {
  return (load) => alternate(load, { ...turns, companions: () => bothGateways });
}
