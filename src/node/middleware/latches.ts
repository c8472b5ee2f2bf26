import type { RunConfig } from '../../config/index.js';
import { cpmLabVehicle, type LatchedVehicle } from '../../core/index.js';
import { isHlcError } from '../../errors/index.js';
import { LatchFile, latchFilePath, readLatchFile } from './latch-file.js';
import type { Logger } from '../logger.js';
import type { SessionObserver } from '../observers/session-observer.js';

/** The latches of one middleware that outlive its process. */
export class Latches {
  readonly #config: RunConfig;
  readonly #log: Logger;
  readonly #path: string | null;
  readonly #file: LatchFile | undefined;

  constructor(config: RunConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#path = latchFilePath(config.output.controlSocket, config.safety.resume);
    if (this.#path === null) return;
    this.#file = new LatchFile({
      path: this.#path,
      vehicleIds: config.session.vehicleIds,
      onFailure: ({ code, message }) => log.error({ code }, message),
    });
  }

  /** See what is latched; none without a latch file. */
  get observers(): readonly SessionObserver[] {
    return this.#file === undefined ? [] : [this.#file];
  }

  /**
   * The vehicles of this run that an earlier one latched, which the log names. All of them, when the
   * latch file cannot be used: what it says is not known.
   */
  async read(): Promise<readonly LatchedVehicle[]> {
    if (this.#path === null) return [];
    const { vehicleIds } = this.#config.session;
    const latched = await readLatchFile(this.#path).catch((error: unknown) => {
      if (!isHlcError(error)) throw error;
      this.#log.error({ code: error.code }, error.message);
      return vehicleIds.map((id) => ({ id, kinds: cpmLabVehicle.kinds }));
    });
    const own = latched.filter(({ id }) => vehicleIds.includes(id));
    if (own.length > 0) {
      const ids = own.map(({ id }) => id);
      this.#file?.add(ids);
      this.#log.warn(
        { vehicles: ids, file: this.#path },
        `vehicles ${ids.join(', ')} are stopped: an earlier run stopped them and did not end cleanly; when their controllers are ready, "hlc-middleware resume ${ids.join(',')}" lets them go on`,
      );
    }
    return own;
  }

  /** Settles when the latch file is written. */
  async close(): Promise<void> {
    await this.#file?.close();
  }
}
