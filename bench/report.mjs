import { noTarget } from './target.mjs';

/** @import { Measured } from './baseline.mjs' */
/** @import { Line } from './measure.mjs' */
/** @import { Spread } from './statistics.mjs' */

/**
 * The lines as cells of the table: medians, with minimum and maximum of the runs in brackets.
 * @param {readonly Line[]} lines
 * @returns {string[][]}
 */
export function resultCells(lines) {
  return lines.map((line) => [
    line.name,
    line.load,
    line.unit,
    spread(line.product),
    spread(line.reference),
    ratio(line).toFixed(2),
    line.target,
    line.target === noTarget.text ? '–' : line.met ? 'yes' : 'no',
  ]);
}

/**
 * The lines for programs.
 * @param {readonly Line[]} lines
 */
export function records(lines) {
  return lines.map((line) => ({
    name: line.name,
    load: line.load,
    unit: line.unit,
    product: line.product.median,
    reference: line.reference.median,
    ratio: ratio(line),
    target: line.target,
    met: line.met,
  }));
}

/**
 * The ratios, for a comparison with others.
 * @param {readonly Line[]} lines
 * @returns {Measured[]}
 */
export function ratios(lines) {
  return lines.map((line) => ({
    name: line.name,
    load: line.load,
    ratio: ratio(line),
    better: line.better,
  }));
}

/** @param {Line} line */
function ratio(line) {
  return line.product.median / line.reference.median;
}

/** @param {Spread} of */
function spread({ median, least, most }) {
  return `${figure(median)} (${figure(least)}–${figure(most)})`;
}

/** @param {number} value */
function figure(value) {
  return Math.abs(value) < 100 ? value.toFixed(1) : value.toFixed(0);
}
