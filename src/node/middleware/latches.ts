import type { RunConfig } from '../../config/index.js';
import { cpmLabVehicle, later, nsPerMs, type LatchedVehicle } from '../../core/index.js';
import { HlcError, isHlcError, namedIds } from '../../errors/index.js';
import { LatchFile, latchFilePath, readLatchFile } from './latch-file.js';
import type { Logger } from '../logger.js';
import type { SessionObserver } from '../observers/session-observer.js';

/** Stamps above this are of the wall clock, ns (1973): simulated time begins at 0. */
const leastWallClockNs = 10n ** 17n;

/** The latches of one middleware that outlive its process. */
export class Latches {
  readonly #config: RunConfig;
  readonly #log: Logger;
  readonly #path: string | null;
  readonly #file: LatchFile | undefined;

  constructor(config: RunConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#path = latchFilePath(config.output.controlSocket);
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
   * The vehicles that an earlier run latched, which the log names; some may not be of this run. All of
   * this run, when the latch file cannot be used: what it says is not known.
   */
  async read(): Promise<readonly LatchedVehicle[]> {
    if (this.#path === null) return [];
    const { vehicleIds } = this.#config.session;
    const latched = await readLatchFile(this.#path).catch((error: unknown) => {
      if (!isHlcError(error)) throw error;
      this.#log.error({ code: error.code }, error.message);
      return vehicleIds.map((id) => ({ id, kinds: cpmLabVehicle.kinds }));
    });
    const nowNs = BigInt(Date.now()) * nsPerMs;
    const ids = latched.map(({ id }) => id);
    this.#logOwn(ids.filter((id) => vehicleIds.includes(id)));
    this.#logUnlisted(ids.filter((id) => !vehicleIds.includes(id)));
    if (this.#latchesStops) await this.#file?.reserve();
    return latched.map((vehicle) => sentUntil(vehicle, nowNs));
  }

  get #latchesStops(): boolean {
    return this.#config.safety.resume !== 'auto';
  }

  #logOwn(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#file?.add(ids);
    const next = this.#latchesStops
      ? `when the controllers are ready, run "hlc-middleware resume ${ids.join(',')}"`
      : 'with --resume=auto they drive again when their controllers are back';
    this.#log.warn(
      { vehicles: ids, file: this.#path },
      `an earlier run stopped ${namedIds('vehicle', ids)} and did not end cleanly: the stop holds; ${next}`,
    );
  }

  #logUnlisted(ids: readonly number[]): void {
    if (ids.length === 0 || this.#path === null) return;
    const { code, message } = new HlcError('HLC_LATCH_UNLISTED', { ids, file: this.#path });
    this.#log.warn({ code, vehicles: ids, file: this.#path }, message);
  }

  /** Settles when the latch file is written. */
  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** The run that latched a vehicle may have stopped it until now, with stamps that its file does not have. */
function sentUntil(vehicle: LatchedVehicle, nowNs: bigint): LatchedVehicle {
  const { sent } = vehicle;
  if (sent === undefined || sent.createNs < leastWallClockNs) return vehicle;
  const until = { createNs: later(sent.createNs, nowNs), validNs: later(sent.validNs, nowNs) };
  return { ...vehicle, sent: until };
}
