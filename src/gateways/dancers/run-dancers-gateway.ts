import type { DdsContext, DomainNetwork } from '../../dds/index.js';
import { loadShippedQos } from '../../dds/qos/index.js';
import { runGateway, type GatewayRun } from '../run-gateway.js';
import { joinForClock, type ClockOptions } from './clock.js';
import { AgentIds } from './lab/agent-ids.js';
import { ControllerRelay } from './lab/controller-relay.js';
import { keepTime } from './lab/kept-time.js';
import { runInLab, type LabRun } from './lab/run-in-lab.js';
import {
  parseDancersConfig,
  usPerMs,
  type ConfigFile,
  type DancersConfig,
} from './protocol/config.js';
import { runAlone } from './run-alone.js';
import { listenForSides, type Sides, type SidesOptions } from './sides.js';

/** How the agents of a run are vehicles of a lab. */
export interface LabPart extends Pick<LabRun, 'commands'> {
  /** [agent id, vehicle id]; no id stands in two pairs. */
  readonly ids: readonly (readonly [number, number])[];
  /** The gateway keeps the time, and lets it begin when this many have signed in; 0: a lab control does. */
  readonly participants: number;
  readonly labSide: DomainNetwork;
  readonly controllerSide: DomainNetwork;
  /** The domains of controllers that see only what the radio of their vehicle reaches. */
  readonly ownDomains: readonly { readonly vehicleId: number; readonly network: DomainNetwork }[];
}

/** What {@link runDancersGateway} needs. */
export interface DancersGatewayRun extends Pick<GatewayRun, 'interruptExitCode'>, SidesOptions {
  readonly config: ConfigFile;
  /** The gateway keeps the time itself and publishes it, or a lab keeps it. */
  readonly time: { readonly clock: Omit<ClockOptions, 'log'> } | { readonly lab: LabPart };
}

/**
 * Coordinates a DANCERS run until its simulated time is over, or a signal comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DANCERS_CONFIG`, `HLC_DANCERS_LISTEN`, `HLC_DANCERS_SIDE`,
 *   `HLC_ROS_CLOCK_TAKEN`, `HLC_ROS_UNAVAILABLE`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runDancersGateway(run: DancersGatewayRun): Promise<number> {
  const config = parseDancersConfig(run.config);
  return runGateway(run, async (dds) => {
    const sides = await listenForSides(config, run);
    try {
      const { ended, close } = await begin(run, config, sides, dds);
      return {
        refused: 0,
        ended: Promise.race([ended, sides.failed]),
        close: async () => {
          await sides.close();
          await close();
        },
      };
    } catch (error) {
      await sides.close();
      throw error;
    }
  });
}

interface Begun {
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

async function begin(
  { time, log }: DancersGatewayRun,
  config: DancersConfig,
  sides: Sides,
  dds: DdsContext,
): Promise<Begun> {
  if ('clock' in time) {
    const clock = await joinForClock({ ...time.clock, log }, dds);
    const { ended, report } = runAlone(config, sides, clock, log);
    return {
      ended,
      close: async () => {
        report();
        await clock.close();
      },
    };
  }
  const { commands, participants, controllerSide, ownDomains } = time.lab;
  const ids = new AgentIds(time.lab.ids);
  const labSide = dds.join(time.lab.labSide);
  const libraries = loadShippedQos();
  const relays = ownDomains.map(
    ({ vehicleId, network }) =>
      new ControllerRelay({
        vehicleId,
        joinMiddleware: () => dds.join(controllerSide),
        ownDomain: dds.join(network),
        libraries,
        log,
      }),
  );
  const stopLab =
    participants === 0
      ? undefined
      : keepTime({
          labSide,
          clocks: dds.clocks,
          participants,
          windowMs: config.windowUs / usPerMs,
          vehicleIds: ids.vehicleIds,
          log,
        });
  const ended = runInLab(config, sides, {
    ids,
    commands,
    labSide,
    controllerSide: dds.join(controllerSide),
    onNeighbors: (lists) => {
      for (const relay of relays) for (const list of lists) relay.report(list);
    },
    log,
  });
  // Other endpoints close with DDS.
  return {
    ended,
    close() {
      stopLab?.();
      for (const relay of relays) relay.close();
      return Promise.resolve();
    },
  };
}
