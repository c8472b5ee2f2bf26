import { nsPerUs } from '../../core/index.js';
import type { Clock } from './clock.js';
import { Coordinator, noPayloads } from './coordinator.js';
import { Pace } from './pace.js';
import { usPerMs, usPerS, type DancersConfig } from './protocol/config.js';
import type { Sides } from './sides.js';

/**
 * Runs windows until the simulated time is over, as the original coordinator does.
 * @throws HlcError `HLC_DANCERS_SIDE`, `HLC_ROS_CLOCK_TAKEN`.
 */
export async function runAlone(
  config: DancersConfig,
  sides: Sides,
  clock: Clock,
  log: (text: string) => void,
): Promise<void> {
  await sides.connected;
  clock.open();
  log('both sides are connected; the run begins');
  const coordinator = new Coordinator(config, sides, (timeUs) =>
    clock.publish(BigInt(timeUs) * nsPerUs),
  );
  const { windowUs, realTimeFactor, lengthS } = config;
  const pace = new Pace(realTimeFactor === undefined ? 0 : windowUs / usPerMs / realTimeFactor);
  const endUs = lengthS === 0 ? Infinity : lengthS * usPerS;
  let payloads = noPayloads;
  let windows = 0;
  while (coordinator.timeUs < endUs) {
    [payloads] = await Promise.all([
      coordinator.window({ physics: payloads.network, network: payloads.physics }),
      pace.window(),
    ]);
    windows++;
  }
  log(`the run is over: ${windows} windows, ${coordinator.timeUs / usPerS} s of simulated time`);
}
