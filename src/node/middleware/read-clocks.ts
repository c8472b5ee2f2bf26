import type { ClockReading } from '../../core/index.js';
import type { Clocks } from '../../dds/index.js';

/** Two reads of the monotonic clock farther apart than this were interrupted. */
const longestGapNs = 50_000n;
const mostTries = 5;

/** Both clocks, each read when it is asked for: most events are handled without. */
export class ReadWhenUsed implements ClockReading {
  readonly #clocks: Clocks;
  #monotonicNs: bigint | undefined;
  #realtimeNs: bigint | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  get monotonicNs(): bigint {
    return (this.#monotonicNs ??= this.#clocks.monotonicNs());
  }

  get realtimeNs(): bigint {
    return (this.#realtimeNs ??= this.#clocks.realtimeNs());
  }
}

/** Both clocks at one instant, as near as can be: an interrupted look is taken again. */
export function readClocks(clocks: Clocks): ClockReading {
  for (let tries = 1; ; tries++) {
    const before = clocks.monotonicNs();
    const realtimeNs = clocks.realtimeNs();
    const after = clocks.monotonicNs();
    if (after - before <= longestGapNs || tries === mostTries) {
      return { realtimeNs, monotonicNs: before + (after - before) / 2n };
    }
  }
}
