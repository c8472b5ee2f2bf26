import { countOf, namedIds, signalExitCodes, type EndSignal } from '../errors/index.js';
import { onEndSignal } from '../sides/index.js';
import { DdsContext } from '../dds/index.js';
import { createLabControl } from './control/lab-control.js';
import type { DisturbanceSettings } from './disturbance/index.js';
import { startFleet, type Fleet, type FleetEvent } from './fleet.js';
import { FleetTime } from './fleet-time.js';
import { joinSide, type JoinedSide, type SideMembership } from './join-side.js';
import { createSystemClock, type LabClock } from './lab-clock.js';
import { SimulatedClock } from './simulated-clock.js';
import { posesOnTrack, tracks, type TrackName } from './track/index.js';

/** What {@link runFleet} needs. */
export interface FleetRun extends SideMembership {
  /** Where the vehicles stand at first. */
  readonly track: TrackName;
  readonly disturbances: DisturbanceSettings;
  /** The vehicles step with a middleware in simulated time, and are its lab control. */
  readonly simulatedTime: boolean;
  /** Simulated time begins when this many have signed in, at least 1. */
  readonly participants: number;
  /** Exit code after SIGINT. */
  readonly interruptExitCode: 0 | 130;
}

/**
 * Runs simulated vehicles until SIGHUP, SIGINT or SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runFleet(run: FleetRun): Promise<number> {
  const { vehicleIds, network, simulatedTime, report } = run;
  const ended = new Promise<EndSignal>((resolve) => onEndSignal(resolve));
  const dds = DdsContext.open({
    onFault: (fault) => report(`fault: ${String(fault)}`),
    onLibraryLog: report,
  });
  try {
    const side = joinSide(run, dds);
    const systemClock = createSystemClock(() => dds.clocks.realtimeNs());
    const fleet = simulatedTime
      ? startInSimulatedTime(run, side, systemClock)
      : startVehicles(run, side, systemClock);
    const { domainId, networkInterface } = network;
    const mode = simulatedTime ? 'simulated' : 'real';
    report(
      `${namedIds('vehicle', vehicleIds)} in ${mode} time, on DDS domain ${domainId}, interface ${networkInterface}${run.ros === undefined ? '' : `, with the names of ROS 2`}`,
    );
    const signal = await ended;
    fleet.close();
    return signal === 'SIGINT' ? run.interruptExitCode : signalExitCodes[signal];
  } finally {
    dds.close();
  }
}

function startVehicles(run: FleetRun, { transport, guid }: JoinedSide, clock: LabClock): Fleet {
  const { vehicleIds, track, disturbances, simulatedTime, report } = run;
  return startFleet({
    transport,
    vehicleIds,
    clock,
    time: simulatedTime ? 'simulated' : 'real',
    initialPoses: posesOnTrack(tracks[track], vehicleIds.length),
    disturbances,
    ownGuid: guid,
    onEvent: (event) => report(sentence(event)),
  });
}

function startInSimulatedTime(run: FleetRun, side: JoinedSide, systemClock: LabClock): Fleet {
  const clock = new SimulatedClock();
  // Its endpoints come before those of the lab control, see FleetTime.
  const fleet = startVehicles(run, side, clock);
  const time = new FleetTime(clock, run.participants, run.report);
  const control = createLabControl({
    transport: side.transport,
    clock: systemClock,
    simulatedTime: {},
    onEvent: (event) => time.onEvent(event, control),
  });
  return {
    report: () => fleet.report(),
    close() {
      // Without it the others would wait for the next step.
      control.time.stop();
      control.close();
      fleet.close();
    },
  };
}

function sentence(event: FleetEvent): string {
  switch (event.kind) {
    case 'command-timeout':
      return `vehicle ${event.vehicleId} has no valid command any more and brakes`;
    case 'command-resumed':
      return `vehicle ${event.vehicleId} drives by a command again`;
    case 'steps-skipped':
      return `the simulation stalled and left out ${countOf(event.count, 'step')}`;
    case 'fault':
      return `${event.error.message} (${event.error.code})`;
  }
}
