/**
 * Median, minimum and maximum.
 * @typedef {{ median: number, least: number, most: number }} Spread
 */

/**
 * @param {readonly number[]} values at least one
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ index) => sorted[index] ?? NaN;
  const half = sorted.length / 2;
  return {
    median: Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half)),
    least: at(0),
    most: at(sorted.length - 1),
  };
}

/**
 * Nearest rank.
 * @param {readonly number[]} values at least one
 * @param {number} share above 0, at most 1
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}
