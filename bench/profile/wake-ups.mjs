/** @import { WakeUp } from './probe.mjs' */

const events = /** @type {const} */ (['sample', 'tick']);

/**
 * Wait of events for JavaScript by kind: `tick` comes from the pacer, `sample` from DDS.
 * @param {readonly WakeUp[]} wakeUps
 * @param {{ fromNs: number, toNs: number }} part on the monotonic clock
 * @param {number} periods in that part
 */
export function delaysOf(wakeUps, { fromNs, toNs }, periods) {
  const within = wakeUps.filter(({ atNs }) => atNs >= fromNs && atNs <= toNs);
  return events
    .flatMap((event) => {
      const delays = within
        .flatMap((wakeUp) => (wakeUp.event === event ? [wakeUp.delayNs / 1000] : []))
        .sort((a, b) => a - b);
      if (delays.length === 0) return [];
      const [p50, p99] = [50, 99].map((percent) => quantile(delays, percent).toFixed(1));
      return [
        `${event} p50 ${p50} µs, p99 ${p99} µs, ${(delays.length / periods).toFixed(2)} per period`,
      ];
    })
    .join('; ');
}

/**
 * Nearest rank.
 * @param {readonly number[]} sorted
 * @param {number} percent
 */
function quantile(sorted, percent) {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? NaN;
}
