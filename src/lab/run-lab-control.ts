import { createInterface } from 'node:readline';
import { signalExitCodes } from '../errors/index.js';
import { onEndSignal } from '../sides/index.js';
import { DdsContext, type DomainNetwork } from '../dds/index.js';
import { LabConsole } from './control/console.js';
import type { LabControlEvent } from './control/events.js';
import { createLabControl } from './control/lab-control.js';
import type { LabControl, RealTimeControl, SimulatedTimeControl } from './control/options.js';
import { middlewareParameters } from './control/parameters.js';
import { createSystemClock } from './lab-clock.js';

/** What {@link runLabControl} needs. */
export interface LabControlRun {
  /** The lab side. */
  readonly network: DomainNetwork;
  /** The period that the parameter server gives, ms. */
  readonly periodMs: bigint;
  /** The active vehicles that the parameter server gives. */
  readonly activeVehicleIds: readonly number[];
  readonly simulatedTime: boolean;
  /** Sign-ins after which time starts by itself; 0: it starts with the line `start` only. */
  readonly participants: number;
  /** Lines to operate it; its end is not the end of the lab control. */
  readonly input: NodeJS.ReadableStream;
  readonly report: (text: string) => void;
}

/**
 * Runs a lab control until the line `quit`, SIGHUP, SIGINT or SIGTERM comes. It stops the lab before
 * it ends.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runLabControl(run: LabControlRun): Promise<number> {
  const { network, simulatedTime, report } = run;
  const ended = new Promise<number>((resolve) =>
    onEndSignal((signal) => resolve(signalExitCodes[signal])),
  );
  const dds = DdsContext.open({
    onFault: (fault) => report(`fault: ${String(fault)}`),
    onLibraryLog: report,
  });
  const lines = createInterface({ input: run.input });
  try {
    const labConsole = new LabConsole({ participants: run.participants, report });
    const onEvent = (event: LabControlEvent): void => labConsole.onEvent(event, control);
    const options = {
      transport: dds.join(network),
      clock: createSystemClock(() => dds.clocks.realtimeNs()),
      parameters: middlewareParameters(run.periodMs, run.activeVehicleIds),
      onEvent,
    };
    const control: LabControl<RealTimeControl | SimulatedTimeControl> = simulatedTime
      ? createLabControl({ ...options, simulatedTime: {} })
      : createLabControl(options);
    const mode = simulatedTime ? 'simulated' : 'real';
    const { domainId, networkInterface } = network;
    report(`lab control in ${mode} time, on DDS domain ${domainId}, interface ${networkInterface}`);
    const quit = new Promise<number>((resolve) => {
      lines.on('line', (line) => {
        if (!labConsole.onLine(line, control)) resolve(0);
      });
    });
    const exitCode = await Promise.race([ended, quit]);
    control.time.stop();
    control.close();
    return exitCode;
  } finally {
    lines.close();
    dds.close();
  }
}
