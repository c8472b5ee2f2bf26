import { nsPerS, nsPerUs } from '../core/index.js';
import { loadNative } from './native.js';

/** As sd_watchdog_enabled(3) recommends. */
const feedsPerGrant = 2n;

/** More seldom is of no use, ns. */
const maxIntervalNs = 3600n * nsPerS;

/** The watchdog of systemd (sd_watchdog_enabled(3)), fed by the pacer's thread. */
export interface Watchdog {
  /**
   * From now on the pacer's thread sends `WATCHDOG=1` at half of the time that systemd grants, while
   * the last `beat` of the emergency stop is younger than the limit of its hang guard; always when
   * there is no limit. One pacer of a process is to do that, since one is enough for systemd.
   * @returns false when systemd does not watch this process.
   * @throws HlcError `HLC_CLOSED` when the pacer is closed.
   */
  feed(): boolean;
}

/** Messages to systemd about the state of this process (sd_notify(3)). */
export interface ServiceManager {
  ready(): void;
  stopping(): void;
  /** @param text one line for `systemctl status` */
  status(text: string): void;
}

/**
 * The service manager that started this process; its messages go nowhere when it was not systemd.
 * @param onFailure called with what the system says about the first message that failed
 */
export function openServiceManager(
  environment: NodeJS.ProcessEnv,
  onFailure: (cause: string) => void,
): ServiceManager {
  const socketName = notifySocket(environment);
  let failed = false;
  const send = (message: string): void => {
    if (socketName === undefined) return;
    const cause = loadNative().notifyServiceManager(socketName, message);
    if (cause !== undefined && !failed) onFailure(cause);
    failed ||= cause !== undefined;
  };
  return {
    ready: () => send('READY=1'),
    stopping: () => send('STOPPING=1'),
    status: (text) => send(`STATUS=${text.replaceAll(/\s+/g, ' ')}`),
  };
}

/** Where and how often systemd expects a sign of life; undefined when it does not. */
export function watchdogOf(
  environment: NodeJS.ProcessEnv,
  processId: number,
): { readonly socketName: string; readonly intervalNs: bigint } | undefined {
  const { WATCHDOG_USEC: granted = '', WATCHDOG_PID: watched } = environment;
  const socketName = notifySocket(environment);
  if (socketName === undefined || !/^[1-9]\d{0,18}$/.test(granted)) return undefined;
  if (watched !== undefined && watched !== String(processId)) return undefined;
  const intervalNs = (BigInt(granted) * nsPerUs) / feedsPerGrant;
  return { socketName, intervalNs: intervalNs < maxIntervalNs ? intervalNs : maxIntervalNs };
}

function notifySocket({ NOTIFY_SOCKET: name }: NodeJS.ProcessEnv): string | undefined {
  return name === undefined || name === '' ? undefined : name;
}
