import { signalExitCodes, type EndSignal } from '../errors/index.js';
import { DdsContext } from '../dds/index.js';

/** What every gateway needs. */
export interface GatewayRun {
  /** Exit code after SIGINT. */
  readonly interruptExitCode: 0 | 130;
  /** Takes sentences for the user. */
  readonly tell: (text: string) => void;
}

/** A gateway at work. */
export interface Gateway {
  /** Refused connections and inputs. */
  readonly refused: number;
  /** Settles with the exit code when the gateway ends by itself. */
  readonly ended?: Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens DDS and a gateway on it, and serves until the gateway ends, or SIGHUP, SIGINT or SIGTERM
 * comes.
 * @returns the exit code of the process.
 */
export async function runGateway(
  { interruptExitCode, tell }: GatewayRun,
  open: (dds: DdsContext) => Promise<Gateway>,
): Promise<number> {
  const dds = DdsContext.open({
    onFault: (fault) => tell(`fault: ${String(fault)}`),
    onLibraryLog: tell,
  });
  try {
    const gateway = await open(dds);
    const signalled = new Promise<number>((resolve) => {
      for (const end of Object.keys(signalExitCodes) as EndSignal[]) {
        const exitCode = end === 'SIGINT' ? interruptExitCode : signalExitCodes[end];
        process.once(end, () => resolve(exitCode));
      }
    });
    const exitCode = await Promise.race([signalled, ...(gateway.ended ? [gateway.ended] : [])]);
    await gateway.close();
    if (gateway.refused > 0) tell(`refused connections and inputs: ${gateway.refused}`);
    return exitCode;
  } finally {
    dds.close();
  }
}
