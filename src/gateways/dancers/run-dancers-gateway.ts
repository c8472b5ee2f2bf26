import { nsPerUs } from '../../core/index.js';
import { runGateway, type GatewayRun } from '../run-gateway.js';
import { joinForClock, type Clock, type ClockOptions } from './clock.js';
import { Coordinator, noPayloads } from './coordinator.js';
import { Pace } from './pace.js';
import {
  parseDancersConfig,
  textOf,
  type ConfigFile,
  type DancersConfig,
} from './protocol/config.js';
import { Side, type SideName, type SideOptions } from './side.js';

const usPerS = 1e6;
const usPerMs = 1000;

/** What {@link runDancersGateway} needs. */
export interface DancersGatewayRun
  extends
    Pick<GatewayRun, 'interruptExitCode' | 'tell'>,
    Pick<SideOptions, 'connectTimeoutMs' | 'answerTimeoutMs'> {
  readonly config: ConfigFile;
  readonly clock: Omit<ClockOptions, 'tell'>;
}

type Sides = Readonly<Record<SideName, Side>>;

/**
 * Is the coordinator of a DANCERS run until its simulated time is over, or a signal comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DANCERS_CONFIG`, `HLC_DANCERS_LISTEN`, `HLC_DANCERS_SIDE`,
 *   `HLC_ROS_CLOCK_TAKEN`, `HLC_ROS_UNAVAILABLE`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runDancersGateway(run: DancersGatewayRun): Promise<number> {
  const config = parseDancersConfig(run.config);
  return runGateway(run, async (dds) => {
    const clock = await joinForClock({ ...run.clock, tell: run.tell }, dds);
    const sides = await listenForSides(config, run);
    return {
      refused: 0,
      ended: untilEnd(sides, coordinate(run, config, sides, clock)),
      close: async () => {
        await closeSides(sides);
        await clock.close();
      },
    };
  });
}

/** The first failure of a side ends the run, also while another one is waited for. */
async function untilEnd({ physics, network }: Sides, run: Promise<void>): Promise<void> {
  await Promise.race([run, physics.failed, network.failed]);
}

async function listenForSides(config: DancersConfig, run: DancersGatewayRun): Promise<Sides> {
  const listen = (name: SideName) => {
    run.tell(`the ${name} side is expected at ${textOf(config[name].address)}`);
    return Side.listen({ ...run, name, address: config[name].address });
  };
  const physics = await listen('physics');
  try {
    return { physics, network: await listen('network') };
  } catch (error) {
    await physics.close();
    throw error;
  }
}

async function closeSides({ physics, network }: Sides): Promise<void> {
  await Promise.all([physics.close(), network.close()]);
}

async function coordinate(
  { tell }: DancersGatewayRun,
  config: DancersConfig,
  sides: Sides,
  clock: Clock,
): Promise<void> {
  await Promise.all([sides.physics.connected, sides.network.connected]);
  clock.open();
  tell('both sides are connected; the run begins');
  const coordinator = new Coordinator(config, sides, (timeUs) =>
    clock.publish(BigInt(timeUs) * nsPerUs),
  );
  const { windowUs, realTimeFactor } = config;
  const pace = new Pace(realTimeFactor === undefined ? 0 : windowUs / usPerMs / realTimeFactor);
  const endUs = config.lengthS === 0 ? Infinity : config.lengthS * usPerS;
  let payloads = noPayloads;
  let windows = 0;
  while (coordinator.timeUs < endUs) {
    [payloads] = await Promise.all([
      coordinator.window({ physics: payloads.network, network: payloads.physics }),
      pace.window(),
    ]);
    windows++;
  }
  tell(`the run is over: ${windows} windows, ${coordinator.timeUs / usPerS} s of simulated time`);
}
