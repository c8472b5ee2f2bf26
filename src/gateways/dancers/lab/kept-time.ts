import type { DdsContext } from '../../../dds/index.js';
import {
  createLabControl,
  createSystemClock,
  LabConsole,
  middlewareParameters,
  type LabControl,
  type LabControlEvent,
  type SimulatedTimeControl,
} from '../../../lab/index.js';
import type { Transport } from '../../../ports/index.js';

/** What {@link keepTime} needs. */
export interface KeptTime {
  /** That of the agents: a middleware then has their states before the trigger that follows. */
  readonly labSide: Transport;
  readonly clocks: DdsContext['clocks'];
  /** Time begins when this many participants have signed in, the gateway included. */
  readonly participants: number;
  /** The period that the parameter server gives, ms, rounded up: the parameter has whole milliseconds. */
  readonly windowMs: number;
  /** The active vehicles that the parameter server gives. */
  readonly vehicleIds: readonly number[];
  readonly log: (text: string) => void;
}

/**
 * Keeps the simulated time of the lab in the process of the gateway, which is faster than a lab control of its
 * own: what one of both sends to the other passes through no network.
 * @returns Stops the lab and ends.
 * @throws HlcError `HLC_DDS_ENTITY`.
 */
export function keepTime(lab: KeptTime): () => void {
  const { labSide, clocks, participants, windowMs, vehicleIds, log } = lab;
  const labConsole = new LabConsole({ participants, report: log });
  const control: LabControl<SimulatedTimeControl> = createLabControl({
    transport: labSide,
    clock: createSystemClock(() => clocks.realtimeNs()),
    parameters: middlewareParameters(BigInt(Math.ceil(windowMs)), vehicleIds),
    onEvent: (event: LabControlEvent) => labConsole.onEvent(event, control),
    simulatedTime: {},
  });
  log(`this gateway keeps the time of the lab, for ${participants} participants`);
  return () => {
    control.time.stop();
    control.close();
  };
}
