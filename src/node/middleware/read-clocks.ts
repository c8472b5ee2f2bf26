import type { ClockReading } from '../../core/index.js';
import type { Clocks } from '../../dds/index.js';

/** Two reads of the monotonic clock farther apart than this were interrupted. */
const longestGapNs = 50_000n;
const mostTries = 5;

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
