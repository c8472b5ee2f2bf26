import { ExitCode, signalExitCodes, type EndSignal } from '../errors/index.js';
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

/** A gateway at work. */
interface OpenGateway {
  /** Connections and inputs so far. */
  readonly refused: number;
  /** Settles when it has ended by itself; absent when it never does. */
  readonly ended?: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens DDS and a gateway on it, and serves until SIGHUP, SIGINT or SIGTERM comes, or until the gateway
 * has ended by itself.
 * @returns the exit code of the process.
 * @throws what `ended` rejects with.
 */
export async function runGateway(
  { interruptExitCode, tell }: Pick<GatewayRun, 'interruptExitCode' | 'tell'>,
  open: (dds: DdsContext) => Promise<OpenGateway>,
): Promise<number> {
  const dds = DdsContext.open({
    onFault: (fault) => tell(`fault: ${String(fault)}`),
    onLibraryLog: tell,
  });
  try {
    const gateway = await open(dds);
    const untilSignal = new Promise<EndSignal>((resolve) => {
      for (const end of Object.keys(signalExitCodes) as EndSignal[]) process.once(end, resolve);
    });
    let signal: EndSignal | undefined;
    try {
      signal = await (gateway.ended === undefined
        ? untilSignal
        : Promise.race([untilSignal, gateway.ended.then(() => undefined)]));
    } finally {
      await gateway.close();
    }
    if (gateway.refused > 0) tell(`refused connections and inputs: ${gateway.refused}`);
    if (signal === undefined) return ExitCode.ok;
    return signal === 'SIGINT' ? interruptExitCode : signalExitCodes[signal];
  } finally {
    dds.close();
  }
}
