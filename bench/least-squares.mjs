/**
 * @typedef {object} Fit
 * @property {number[]} coefficients one for each column
 * @property {number[]} fitted one for each row
 * @property {number} residual root of the mean square of what is left, in the unit of the values
 */

/**
 * The linear model that leaves the least squares: value ≈ Σ coefficient × column.
 * @param {readonly (readonly number[])[]} rows the columns of each observation; at least as many rows
 *   as columns, and no column a mixture of others
 * @param {readonly number[]} values one for each row
 * @returns {Fit}
 */
export function leastSquares(rows, values) {
  const columns = rows[0]?.map((_, index) => rows.map((row) => row[index] ?? NaN)) ?? [];
  // The normal equations; columns are brought to length 1, so that their sizes do not matter.
  const lengths = columns.map((column) => Math.hypot(...column));
  const unit = columns.map((column, index) => column.map((x) => x / (lengths[index] ?? NaN)));
  const equations = unit.map((left) => [
    ...unit.map((right) => dot(left, right)),
    dot(left, values),
  ]);
  const coefficients = solve(equations).map((x, index) => x / (lengths[index] ?? NaN));
  const fitted = rows.map((row) => dot(row, coefficients));
  const left = values.map((value, index) => value - (fitted[index] ?? NaN));
  return { coefficients, fitted, residual: Math.sqrt(dot(left, left) / left.length) };
}

/**
 * Gauß and Jordan, with the largest pivot.
 * @param {number[][]} equations each with its right-hand side at the end
 */
function solve(equations) {
  const rows = equations.map((row) => [...row]);
  for (let i = 0; i < rows.length; i++) {
    const rest = rows.slice(i).map((row) => Math.abs(row[i] ?? NaN));
    const pivot = i + rest.indexOf(Math.max(...rest));
    const top = rows[pivot] ?? [];
    rows[pivot] = rows[i] ?? [];
    const scaled = top.map((x) => x / (top[i] ?? NaN));
    rows[i] = scaled;
    rows.forEach((row, index) => {
      if (index === i) return;
      const factor = row[i] ?? NaN;
      rows[index] = row.map((x, column) => x - factor * (scaled[column] ?? NaN));
    });
  }
  return rows.map((row) => row.at(-1) ?? NaN);
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function dot(a, b) {
  return a.reduce((sum, x, index) => sum + x * (b[index] ?? NaN), 0);
}
