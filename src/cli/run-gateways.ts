import { toMs } from '../core/index.js';
import type {
  CarlaValues,
  CaveValues,
  DancersValues,
  RunConfig,
  SynchronoValues,
} from '../config/index.js';
import type { DomainNetwork } from '../dds/index.js';
import { HlcError } from '../errors/index.js';
import {
  runCarlaGateway,
  runCaveGateway,
  runDancersGateway,
  runSynchronoGateway,
} from '../gateways/index.js';
import { sideNetwork } from '../sides/index.js';
import { readDancersConfig } from './read-dancers-config.js';

function log(text: string): void {
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
    controllerSide: {
      network: await sideNetwork(sides.controller),
      ...(sides.controller.kind === 'ros2' ? { ros: sides.ros } : {}),
    },
    interruptExitCode,
    log,
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
    ageOutMs: toMs(ageOutNs),
    view: { range, subset },
    wheelbase,
    labSide: await sideNetwork(sides.lab),
    simulatedTime,
    clients,
    interruptExitCode,
    log,
  });
}

/**
 * The gateway of `hlc-middleware gateway dancers`.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`, `HLC_CONFIG_FILE_READ`.
 */
export async function runDancers(config: RunConfig, values: DancersValues): Promise<number> {
  const { sides, interruptExitCode } = config;
  const { lab, ids, commands, participants, connectTimeoutMs, answerTimeoutMs } = values;
  const labSide = await sideNetwork(sides.lab);
  return runDancersGateway({
    config: readDancersConfig(
      values.config ?? missing('--config', 'the path of a DANCERS configuration'),
    ),
    connectTimeoutMs: toMs(connectTimeoutMs),
    answerTimeoutMs: toMs(answerTimeoutMs),
    time: lab
      ? {
          lab: {
            ids: ids ?? missing('--ids', 'the vehicle id of each agent, for example 0:1,1:2'),
            commands,
            participants,
            labSide,
            controllerSide: await sideNetwork(sides.controller),
            ownDomains: await ownDomains(config, values),
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
    log,
  });
}

/** @throws HlcError `HLC_CONFIG_NO_VALUE`, `HLC_CONFIG_VALUE`. */
async function ownDomains(
  { sides }: RunConfig,
  { ids = [], visibility, controllerDomains: pairs }: DancersValues,
): Promise<{ vehicleId: number; network: DomainNetwork }[]> {
  if (visibility === 'all') return [];
  const name = '--controller-domains';
  if (pairs === undefined) missing(name, 'the domain of each controller, for example 1:11,2:12');
  const vehicleIds = ids.map(([, vehicleId]) => vehicleId);
  const taken = [sides.lab.domainId, sides.controller.domainId];
  const wrong = pairs.find(([id, domain]) => !vehicleIds.includes(id) || taken.includes(domain));
  if (wrong !== undefined) {
    throw new HlcError('HLC_CONFIG_VALUE', {
      name,
      value: wrong.join(':'),
      rule: 'a vehicle of --ids, and a domain other than --dds-domain and --domain-number',
    });
  }
  return Promise.all(
    pairs.map(async ([vehicleId, domainId]) => ({
      vehicleId,
      network: await sideNetwork({ ...sides.controller, domainId }),
    })),
  );
}

/** @throws HlcError `HLC_CONFIG_NO_VALUE`. */
function missing(name: string, rule: string): never {
  throw new HlcError('HLC_CONFIG_NO_VALUE', { name, rule });
}

/**
 * The gateway of `hlc-middleware gateway synchrono`.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_CONFIG_VALUE` when --map names agents of this node, or vehicles that are its
 *   agents.
 */
export async function runSynchrono(config: RunConfig, values: SynchronoValues): Promise<number> {
  const { session, sides, interruptExitCode } = config;
  const { node, peers, domain, map, heartbeatMs: heartbeatNs } = values;
  const { vehicleIds } = session;
  for (const [agent, id] of map) {
    if (!agent.startsWith(`${node}.`) && !vehicleIds.includes(id)) continue;
    const rule = `agents of other nodes than --node, and vehicle ids that are not in --vehicle-ids`;
    throw new HlcError('HLC_CONFIG_VALUE', { name: '--map', value: `${agent}:${id}`, rule });
  }
  // Fast DDS announces the addresses of network cards, as RTI Connext does.
  const nodeSide = await sideNetwork({ ...sides.lab, domainId: domain, localAddresses: 'all' });
  return runSynchronoGateway({
    node,
    peers,
    vehicleIds,
    map,
    heartbeatNs,
    joinTimeoutNs: values.joinTimeoutMs,
    timeoutNs: values.nodeTimeoutMs,
    policy: values.nodeTimeoutPolicy,
    files: {
      chassis: values.chassisVisFile ?? '',
      wheel: values.wheelVisFile ?? '',
      tire: values.tireVisFile ?? '',
    },
    size: { wheelbase: values.wheelbase, track: values.trackWidth },
    maxSteering: (values.maxSteeringDeg * Math.PI) / 180,
    nodeSide,
    // A domain uses the network in one way.
    labSide: domain === sides.lab.domainId ? nodeSide : await sideNetwork(sides.lab),
    simulatedTime: session.time.mode === 'simulated',
    interruptExitCode,
    log,
  });
}
