import { textOf, type DancersConfig } from './protocol/config.js';
import { Side, type SideName, type SideOptions } from './side.js';

/** How both sides are served. */
export type SidesOptions = Pick<SideOptions, 'connectTimeoutMs' | 'answerTimeoutMs' | 'log'>;

/** Both sides of a run. */
export interface Sides extends Readonly<Record<SideName, Side>> {
  /** Settles when both are connected. */
  readonly connected: Promise<unknown>;
  /** Rejects with the first failure of a side. */
  readonly failed: Promise<never>;
  /** Sends CLOSE to both, and waits for a moment until they have disconnected. */
  close(): Promise<void>;
}

/**
 * Listens for both sides.
 * @throws HlcError `HLC_DANCERS_LISTEN`.
 */
export async function listenForSides(config: DancersConfig, options: SidesOptions): Promise<Sides> {
  const listen = async (name: SideName) => {
    const { address } = config[name];
    const side = await Side.listen({ ...options, name, address });
    options.log(`the ${name} side is expected at ${textOf(address)}`);
    return side;
  };
  const physics = await listen('physics');
  const network = await listen('network').catch(async (error: unknown) => {
    await physics.close();
    throw error;
  });
  const failed = Promise.race([physics.failed, network.failed]);
  // A side may fail before its caller listens.
  failed.catch(() => undefined);
  return {
    physics,
    network,
    failed,
    connected: Promise.all([physics.connected, network.connected]),
    close: async () => {
      await Promise.all([physics.close(), network.close()]);
    },
  };
}
