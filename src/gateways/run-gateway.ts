import { signalExitCodes, type EndSignal } from '../errors/index.js';
import { onEndSignal } from '../sides/index.js';
import { DdsContext } from '../dds/index.js';

/** What every gateway needs. */
export interface GatewayRun {
  /** Where it listens: an IPv4 address of this machine, and a port. */
  readonly host: string;
  readonly port: number;
  /** Exit code after SIGINT. */
  readonly interruptExitCode: 0 | 130;
  /** Takes sentences for the user. */
  readonly tell: (text: string) => void;
}

/**
 * Opens DDS and a gateway on it, and serves until SIGHUP, SIGINT or SIGTERM comes.
 * @returns the exit code of the process.
 */
export async function runGateway(
  { interruptExitCode, tell }: GatewayRun,
  open: (dds: DdsContext) => Promise<{ readonly refused: number; close(): Promise<void> }>,
): Promise<number> {
  const ended = new Promise<EndSignal>((resolve) => onEndSignal(resolve));
  const dds = DdsContext.open({
    onFault: (fault) => tell(`fault: ${String(fault)}`),
    onLibraryLog: tell,
  });
  try {
    const gateway = await open(dds);
    const signal = await ended;
    await gateway.close();
    if (gateway.refused > 0) tell(`refused connections and inputs: ${gateway.refused}`);
    return signal === 'SIGINT' ? interruptExitCode : signalExitCodes[signal];
  } finally {
    dds.close();
  }
}
