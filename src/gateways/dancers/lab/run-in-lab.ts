import { isHlcError } from '../../../errors/index.js';
import type { Transport } from '../../../ports/index.js';
import { topics, type NeighborList } from '../../../messages/index.js';
import {
  createVehicles,
  neighborListQos,
  reportedTopicErrors,
  writeTopic,
} from '../../../sides/index.js';
import { LimitedLog } from '../../limited-log.js';
import { Coordinator } from '../coordinator.js';
import { Pace } from '../pace.js';
import { usPerMs, usPerS, type DancersConfig } from '../protocol/config.js';
import type { Sides } from '../sides.js';
import type { AgentIds } from './agent-ids.js';
import { LabWindows, type LabWindowsOptions } from './lab-windows.js';
import { steppedSide } from './stepped-side.js';

/** What {@link runInLab} needs. */
export interface LabRun extends Pick<LabWindowsOptions, 'commands'> {
  readonly ids: AgentIds;
  readonly labSide: Transport;
  readonly controllerSide: Transport;
  /** Takes the neighbour lists of a window beside the controller side. */
  readonly onNeighbors: (lists: readonly NeighborList[]) => void;
  readonly log: (text: string) => void;
}

/**
 * Runs one window per step of the lab, until the simulated time is over or the lab stops. The
 * gateway signs in when both sides are connected; the first step, at 0, has no window before it.
 * @throws HlcError `HLC_DANCERS_SIDE`, `HLC_DDS_ENTITY`.
 */
export async function runInLab(config: DancersConfig, sides: Sides, run: LabRun): Promise<void> {
  const { ids, labSide, controllerSide, log } = run;
  await sides.connected;
  const faults = new LimitedLog(log, () => performance.now());
  const onError = (error: unknown) => faults.fault(error);
  const lists = writeTopic(
    { transport: controllerSide, qos: neighborListQos },
    topics.neighborList,
    reportedTopicErrors(onError),
  );
  const { windowUs, realTimeFactor, lengthS } = config;
  const endNs = lengthS === 0 ? null : BigInt(Math.round(lengthS * 1e9));
  const pace = new Pace(realTimeFactor === undefined ? 0 : windowUs / usPerMs / realTimeFactor);
  const stepped = { physics: steppedSide(sides.physics), network: steppedSide(sides.network) };
  const windows = new LabWindows(
    new Coordinator(config, stepped, () => undefined),
    {
      ...run,
      windowS: windowUs / usPerS,
      commandFor: (vehicleId) => vehicles.commandFor(vehicleId),
      publish: (measurement) => vehicles.publish(measurement),
      report(neighbors) {
        for (const list of neighbors) lists.write(list);
        run.onNeighbors(neighbors);
      },
    },
    (side, cause) => sides[side].refuse(cause),
  );
  let finish: (why: string) => void = () => undefined;
  const finished = new Promise<string>((resolve) => (finish = resolve));
  const vehicles = await createVehicles({
    ids: ids.vehicleIds,
    transport: labSide,
    onError,
    simulatedTime: {
      sourceId: 'dancers_gateway',
      periodMs: windowUs / usPerMs,
      async onStep(nowNs) {
        if (nowNs === 0n) return;
        try {
          await Promise.all([windows.window(nowNs), pace.window()]);
        } catch (error) {
          if (!isHlcError(error) || error.code !== 'HLC_DANCERS_SIDE') throw error;
          // `failed` of the side ends the run; until then time must not go on.
          await new Promise(() => undefined);
        }
        if (endNs !== null && nowNs >= endNs) finish(`${lengthS} s of simulated time`);
        // After the sign-in for the next step.
        else setImmediate(() => windows.prepare());
      },
    },
    onStop: () => finish('the lab has stopped'),
  });
  log(`both sides are connected; vehicles ${ids.vehicleIds.join(', ')} sign in with the lab`);
  log(`the run is over: ${await finished}`);
}
