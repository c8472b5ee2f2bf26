import { performance } from 'node:perf_hooks';

import { ExitCode, signalExitCodes, type EndSignal } from '../errors/index.js';
import { onEndSignal } from '../sides/index.js';
import { DdsContext, shareCores } from '../dds/index.js';
import { LimitedLog } from './limited-log.js';

/** What every gateway needs. */
export interface GatewayRun {
  /** Where it listens: an IPv4 address of this machine, and a port. */
  readonly host: string;
  readonly port: number;
  /** Exit code after SIGINT. */
  readonly interruptExitCode: 0 | 130;
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
}

/** A gateway at work. */
interface OpenGateway {
  /** Connections and inputs so far. */
  readonly refused: number;
  /** Settles when it has ended by itself; absent when it never does. */
  readonly ended?: Promise<void>;
  /** Exit code of the process after `ended`; absent: 0. */
  readonly exitCode?: ExitCode;
  close(): Promise<void>;
}

/**
 * Opens DDS and a gateway on it, and serves until SIGHUP, SIGINT or SIGTERM comes, or until the gateway
 * has ended by itself.
 * @returns the exit code of the process.
 * @throws what `ended` rejects with.
 */
export async function runGateway(
  { interruptExitCode, log }: Pick<GatewayRun, 'interruptExitCode' | 'log'>,
  open: (dds: DdsContext) => Promise<OpenGateway>,
): Promise<number> {
  shareCores('gateway');
  const untilSignal = new Promise<EndSignal>((resolve) => onEndSignal(resolve));
  const faults = new LimitedLog(log, () => performance.now());
  const dds = DdsContext.open({
    onFault: (fault) => faults.fault(fault),
    onLibraryLog: log,
  });
  try {
    const gateway = await open(dds);
    let signal: EndSignal | undefined;
    try {
      signal = await (gateway.ended === undefined
        ? untilSignal
        : Promise.race([untilSignal, gateway.ended.then(() => undefined)]));
    } finally {
      await gateway.close();
    }
    if (gateway.refused > 0) log(`refused connections and inputs: ${gateway.refused}`);
    if (signal === undefined) return gateway.exitCode ?? ExitCode.ok;
    return signal === 'SIGINT' ? interruptExitCode : signalExitCodes[signal];
  } finally {
    dds.close();
  }
}
