import { readFileSync } from 'node:fs';

import type { CarlaValues, CaveValues, DancersValues, RunConfig } from '../config/index.js';
import { HlcError } from '../errors/index.js';
import { runCarlaGateway, runCaveGateway, runDancersGateway } from '../gateways/index.js';
import { sideNetwork } from '../sides/index.js';

const nsPerMs = 1e6;

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The gateway of `hlc-middleware gateway carla`. @returns the exit code of the process. */
export async function runCarla(config: RunConfig, values: CarlaValues): Promise<number> {
  const { session, sides, interruptExitCode } = config;
  const { listen: host, port, sensors, vehicleLength, vehicleWidth, vehicleHeight } = values;
  return runCarlaGateway({
    host,
    port,
    vehicleIds: session.vehicleIds,
    vehicleSize: { length: vehicleLength, width: vehicleWidth, height: vehicleHeight },
    sensors,
    labSide: await sideNetwork(sides.lab),
    controllerSide: await sideNetwork(sides.controller),
    interruptExitCode,
    tell,
  });
}

/** The gateway of `hlc-middleware gateway cave`. @returns the exit code of the process. */
export async function runCave(config: RunConfig, values: CaveValues): Promise<number> {
  const { session, sides, interruptExitCode } = config;
  const { listen: host, port, ids, range, subset, ageOutMs: ageOutNs, wheelbase, clients } = values;
  const simulatedTime = session.time.mode === 'simulated';
  if (clients > 0 && !simulatedTime) {
    throw new HlcError('HLC_CONFIG_NOT_SERVED', {
      what: 'The flag --clients of "gateway cave" in real time',
      reason: 'real time waits for no client; it needs --simulated-time',
      servedValues: [],
    });
  }
  return runCaveGateway({
    host,
    port,
    ids,
    ageOutMs: Number(ageOutNs) / nsPerMs,
    view: { range, subset },
    wheelbase,
    labSide: await sideNetwork(sides.lab),
    simulatedTime,
    clients,
    interruptExitCode,
    tell,
  });
}

/**
 * The gateway of `hlc-middleware gateway dancers`.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`, `HLC_CONFIG_FILE_READ`.
 */
export async function runDancers(config: RunConfig, values: DancersValues): Promise<number> {
  const { sides, interruptExitCode } = config;
  const { lab, ids, commands, connectTimeoutMs, answerTimeoutMs } = values;
  const labSide = await sideNetwork(sides.lab);
  return runDancersGateway({
    config: readDancersConfig(values.config),
    connectTimeoutMs: Number(connectTimeoutMs) / nsPerMs,
    answerTimeoutMs: Number(answerTimeoutMs) / nsPerMs,
    time: lab
      ? {
          lab: {
            ids: ids ?? missing('--ids', 'the vehicle id of each agent, for example 0:1,1:2'),
            commands,
            labSide,
            controllerSide: await sideNetwork(sides.controller),
          },
        }
      : {
          clock: {
            kind: sides.lab.kind === 'rclnodejs' ? 'rclnodejs' : 'dds',
            network: labSide,
            ros: sides.ros,
          },
        },
    interruptExitCode,
    tell,
  });
}

/** @throws HlcError `HLC_CONFIG_NO_VALUE`. */
function missing(name: string, rule: string): never {
  throw new HlcError('HLC_CONFIG_NO_VALUE', { name, rule });
}

function readDancersConfig(
  path: string = missing('--config', 'the path of a DANCERS configuration'),
): { path: string; text: string } {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const cause = (error as Error).message;
    throw new HlcError('HLC_CONFIG_FILE_READ', { path, cause }, { cause: error });
  }
}
