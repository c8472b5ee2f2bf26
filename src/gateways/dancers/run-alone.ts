import { nsPerUs } from '../../core/index.js';
import type { Clock } from './clock.js';
import { Coordinator, noPayloads } from './coordinator.js';
import { Pace } from './pace.js';
import { usPerMs, usPerS, type DancersConfig } from './protocol/config.js';
import type { Sides } from './sides.js';

/** A run without a lab. */
export interface AloneRun {
  /**
   * Settles when the simulated time is over; rejects with HlcError `HLC_DANCERS_SIDE` or
   * `HLC_ROS_CLOCK_TAKEN`.
   */
  readonly ended: Promise<void>;
  /** Prints how far it came, once. */
  readonly report: () => void;
}

/** Runs windows until the simulated time is over, as the original coordinator does. */
export function runAlone(
  config: DancersConfig,
  sides: Sides,
  clock: Clock,
  log: (text: string) => void,
): AloneRun {
  const coordinator = new Coordinator(config, sides, (timeUs) =>
    clock.publish(BigInt(timeUs) * nsPerUs),
  );
  const { windowUs, realTimeFactor, lengthS } = config;
  const pace = new Pace(realTimeFactor === undefined ? 0 : windowUs / usPerMs / realTimeFactor);
  const endUs = lengthS === 0 ? Infinity : lengthS * usPerS;
  let isUnderWay = false;
  let windows = 0;
  const report = (): void => {
    if (!isUnderWay) return;
    isUnderWay = false;
    log(`the run is over: ${windows} windows, ${coordinator.timeUs / usPerS} s of simulated time`);
  };
  const run = async (): Promise<void> => {
    await sides.connected;
    clock.open();
    log('both sides are connected; the run begins');
    isUnderWay = true;
    let payloads = noPayloads;
    while (coordinator.timeUs < endUs) {
      [payloads] = await Promise.all([
        coordinator.window({ physics: payloads.network, network: payloads.physics }),
        pace.window(),
      ]);
      windows++;
    }
    report();
  };
  return { ended: run(), report };
}
