import { createStampOf, nsPerMs, nsPerS, validAfterOf, type Command } from '../../core/index.js';
import type { StopRamps } from '../../dds/index.js';
import { commandStampOffsets, pathSpeedOffset } from '../../messages/index.js';
import type { TransportWriter } from '../../ports/index.js';
import { encodeCommand } from '../../sides/index.js';

/** How the pacer's thread goes on with a stop, ns. */
const times = { afterNs: 100n * nsPerMs, repeatNs: 50n * nsPerMs, restNs: nsPerS };

/** A command that holds later than this is to outrank what holds then, ns. */
const negligibleNs = 2n * nsPerMs;

/** Create stamps that are ahead of now by less than this are outranked by the first repetition, ns. */
const mostAheadNs = times.afterNs / 2n;

/** Longest sample that the pacer's thread takes. */
const mostBytes = 64 * 1024;

export interface HeldUpStopsOptions {
  readonly ramps: StopRamps;
  /** Of the commands to follow a path. */
  readonly writer: TransportWriter;
  /** m/s², above 0. */
  readonly brakingMps2: number;
  readonly clocks: { monotonicNs(): bigint; realtimeNs(): bigint };
}

/**
 * Has the pacer's thread go on with stops while this thread is held up. On a path the speed falls from one
 * stop command to the next: without the next one a vehicle would keep its speed. Speed 0 is repeated as well:
 * another program that hands its stop over may have outranked it with its last command, at a higher speed.
 * Commands of the other kinds bring a vehicle to rest by themselves.
 */
export class HeldUpStops {
  readonly #options: HeldUpStopsOptions;
  /** The vehicles whose stops would go on. */
  readonly #ids = new Set<number>();

  constructor(options: HeldUpStopsOptions) {
    this.#options = options;
  }

  /** True while there is a stop that would go on. */
  get isAny(): boolean {
    return this.#ids.size > 0;
  }

  /** A command of a stop goes to its vehicle now. */
  commanded(command: Command): void {
    if (command.kind !== 'pathTracking') return;
    const { ramps, writer, brakingMps2, clocks } = this.#options;
    const { vehicle_id: id, speed: speedMps, path } = command.message;
    const nowNs = clocks.realtimeNs();
    if (validAfterOf(command) > nowNs + negligibleNs) return;
    const bytes = encodeCommand(command);
    const isOutranked = createStampOf(command) < nowNs + mostAheadNs;
    if (!isOutranked || bytes.length > mostBytes) {
      this.released(id);
      return;
    }
    const { create, validAfter } = commandStampOffsets;
    const patches = [
      { offset: create, deltaNs: 0n },
      { offset: validAfter, deltaNs: 0n, isTime: true },
    ];
    // It holds now by the clock of the vehicle.
    const clockOffsetNs = validAfterOf(command) - clocks.monotonicNs();
    const sample = { writer, bytes, patches, floorNs: 0n, clockOffsetNs };
    const speedOffset = pathSpeedOffset(path.length);
    if (ramps.set(id, { sample, speedOffset, speedMps, brakingMps2 }, times)) this.#ids.add(id);
  }

  /** The vehicle stands, its controller drives it again, or its stop is that of another program. */
  released(id: number): void {
    if (this.#ids.delete(id)) this.#options.ramps.remove(id);
  }

  /** No stop goes on. */
  close(): void {
    for (const id of this.#ids) this.released(id);
  }
}
