import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  dancersGatewayCommand,
  dancersReferenceCommand,
  dancersSideCommand,
  exampleControllerCommand,
  labControlCommand,
  labMiddlewareCommand,
} from './commands.mjs';
import { unmeasured, withPrograms } from './deployment.mjs';

/** @import { Measurement, Start } from './deployment.mjs' */
/** @import { OtherPrograms } from './other-programs.mjs' */
/** @import { Load, Side } from './load.mjs' */

const windowUs = 10_000;

/** A field of protobuf with content. @param {number} number @param {Buffer} content */
function nested(number, content) {
  return Buffer.concat([Buffer.of((number << 3) | 2, content.length), content]);
}

/** A field of protobuf. @param {number} number @param {number} value */
function double(number, value) {
  const field = Buffer.of((number << 3) | 1, ...Buffer.alloc(8));
  field.writeDoubleLE(value, 1);
  return field;
}

/** END as a frame; its payload is gzip of a message. @param {Buffer} [message] */
function end(message) {
  const payload = message === undefined ? Buffer.alloc(0) : nested(2, gzipSync(message));
  const content = gzipSync(Buffer.concat([Buffer.of(8, 1), payload]));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** The pose of agent 1, which is at x. @param {number} x metres */
function pose(x) {
  const agent = Buffer.of(11 << 3, 1);
  return nested(1, Buffer.concat([double(1, x), double(7, 1), double(8, 0.3), agent]));
}

/** Agent 1 has agent 2 as neighbour, with link quality 0.5 and age 100 us. */
const neighbors = nested(
  1,
  Buffer.concat([
    Buffer.of(8, 1, (3 << 3) | 2, 1, 2),
    nested(4, double(0, 0.5).subarray(1)),
    Buffer.of((5 << 3) | 2, 1, 100),
  ]),
);

/**
 * Writes the configuration of a run, and what its sides answer.
 * @param {string} folder
 * @param {number} windows after which the run ends
 * @param {boolean} speaking the sides answer with payloads
 */
function writeRun(folder, windows, speaking) {
  const [config = '', physics = '', network = ''] = ['run.yaml', 'physics', 'network'].map((file) =>
    path.join(folder, file),
  );
  const answers = { physics: `${physics}.answers`, network: `${network}.answers` };
  writeFileSync(answers.physics, Buffer.concat(speaking ? [end(pose(1)), end(pose(2))] : [end()]));
  writeFileSync(answers.network, speaking ? end(neighbors) : end());
  const keys = {
    sync_window: windowUs,
    phy_step_size: windowUs,
    net_step_size: windowUs,
    simulation_length: (windows * windowUs) / 1e6,
    phy_use_uds: true,
    net_use_uds: true,
    phy_uds_server_address: physics,
    net_uds_server_address: network,
  };
  writeFileSync(
    config,
    Object.entries(keys)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  );
  /** @param {Start} start @param {number} skip */
  const startSides = (start, skip) => {
    const side = start('the physics side', dancersSideCommand(physics, answers.physics, skip));
    start('the network side', dancersSideCommand(network, answers.network, skip));
    return side;
  };
  return { config, sockets: /** @type {const} */ ([physics, network]), startSides };
}

/**
 * Windows of a run with two sides that answer nothing; the reference is a coordinator in Python.
 * @param {Load} load periods are windows
 * @param {Side} side
 * @returns {Promise<Measurement>}
 */
export function dancersAlone({ periods, skip }, side) {
  return withPrograms(async (start, folder, watchOthers) => {
    const others = watchOthers();
    const { config, sockets, startSides } = writeRun(folder, periods, false);
    const coordinator =
      side === 'product'
        ? start('the DANCERS gateway', dancersGatewayCommand(config, []))
        : start('the coordinator in Python', dancersReferenceCommand(periods, sockets));
    await coordinator.untilOutput(
      side === 'product' ? 'the network side is expected' : 'both sockets are open',
    );
    return windowsOf(startSides(start, skip), others);
  });
}

/**
 * Windows of a run in a lab with one controller; the reference is the same run without a lab.
 * @param {'gateway' | 'lab control'} timekeeper
 * @returns {NonNullable<Load['deploy']>}
 */
export function dancersInLab(timekeeper) {
  const inLab = ['--lab', '--ids=1:1', '--commands=velocity'];
  const flags = timekeeper === 'gateway' ? [...inLab, '--participants=2'] : inLab;
  return ({ periods, skip }, side) =>
    withPrograms(async (start, folder, watchOthers) => {
      const others = watchOthers();
      const isInLab = side === 'product';
      const { config, startSides } = writeRun(folder, periods, true);
      if (isInLab && timekeeper === 'lab control') start('the lab control', labControlCommand());
      const gateway = start(
        'the DANCERS gateway',
        dancersGatewayCommand(config, isInLab ? flags : []),
      );
      await gateway.untilOutput('the network side is expected');
      const physics = startSides(start, skip);
      if (isInLab) {
        start('the middleware', labMiddlewareCommand(windowUs / 1000));
        start('a controller', exampleControllerCommand());
      }
      return windowsOf(physics, others);
    });
}

/**
 * @param {ReturnType<Start>} side
 * @param {OtherPrograms} others
 * @returns {Promise<Measurement>}
 */
async function windowsOf(side, others) {
  await side.untilDone();
  const { per_second: windowsPerSecond } = /** @type {{ per_second: number }} */ (
    await side.report()
  );
  return { ...unmeasured, startSignalsPerSecond: windowsPerSecond, otherShare: others.share() };
}
