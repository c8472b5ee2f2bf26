import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isHlcError } from '../../errors/index.js';
import { checkSocketPath, listen, prepareFolder } from '../../remote/index.js';
import { waitingReaderPath } from '../../tap/index.js';
import { connectTap, type TapConnection } from './connect-tap.js';

/** A tap is looked for this often, ms: its middleware may not find this reader. */
const lookMs = 50;

export interface AwaitTapOptions {
  /** Longest wait, ms; 0: no limit. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly stopped: AbortSignal;
  /** As for `connectTap`. */
  readonly pauseMs?: number;
}

/**
 * Connects to the tap of a middleware as soon as there is one. A middleware that starts in the meantime
 * begins its session with this reader connected.
 * @param path of the tap, see `tapPathOf`.
 * @throws HlcError as `connectTap`; `HLC_TAP_NOBODY` at the end of the wait.
 */
export async function awaitTap(
  path: string,
  { waitMs, stopped, pauseMs }: AwaitTapOptions,
): Promise<TapConnection> {
  const endAt = waitMs === 0 ? Infinity : Date.now() + waitMs;
  const announcement = await Announcement.open(path);
  try {
    for (;;) {
      try {
        return await connectTap(path, pauseMs);
      } catch (error) {
        const isAbsent = isHlcError(error) && error.code === 'HLC_TAP_NOBODY';
        if (!isAbsent || stopped.aborted || Date.now() >= endAt) throw error;
      }
      const look = AbortSignal.timeout(lookMs);
      await (announcement?.found(look) ?? wait(lookMs));
    }
  } finally {
    announcement?.close();
  }
}

/** A socket beside the tap at which a starting middleware finds this reader. */
class Announcement {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      this.#connections.add(socket);
    });
  }

  /** Undefined when there can be no such socket: then the tap is only looked for. */
  static async open(tap: string): Promise<Announcement | undefined> {
    const path = waitingReaderPath(tap, process.pid);
    const server = createServer();
    try {
      checkSocketPath(path);
      await prepareFolder(path);
      await listen(server, path);
      return new Announcement(server);
    } catch (error) {
      if (isHlcError(error)) return undefined;
      throw error;
    }
  }

  /** Settles when a middleware has found this reader. */
  async found(signal: AbortSignal): Promise<void> {
    await once(this.#server, 'connection', { signal }).catch(() => undefined);
  }

  /** The middleware goes on. */
  close(): void {
    this.#server.close();
    for (const socket of this.#connections) socket.destroy();
  }
}
