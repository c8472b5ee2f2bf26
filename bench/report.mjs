import { noTarget } from './target.mjs';

/** @import { Measured } from './baseline.mjs' */
/** @import { Line } from './measure.mjs' */
/** @import { Spread } from './statistics.mjs' */

const headings = ['figure', 'load', 'unit', 'middleware', 'C reference', 'ratio', 'target', 'met'];
const leftAligned = new Set([0, 1, 2, 6, 7]);

/**
 * The lines as a table in Markdown: medians, with minimum and maximum of the runs in brackets.
 * @param {readonly Line[]} lines
 */
export function table(lines) {
  const cells = lines.map((line) => [
    line.name,
    line.load,
    line.unit,
    spread(line.product),
    spread(line.reference),
    ratio(line).toFixed(2),
    line.target,
    line.target === noTarget.text ? '–' : line.met ? 'yes' : 'no',
  ]);
  return alignedTable(headings, cells, leftAligned);
}

/**
 * A table in Markdown, its columns aligned.
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} cells by rows
 * @param {ReadonlySet<number>} left columns that are aligned to the left
 */
export function alignedTable(headings, cells, left) {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width, column) =>
    left.has(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [headings, rule, ...cells]
    .map(
      (row) =>
        `| ${row.map((cell, column) => align(cell, widths[column] ?? 0, left.has(column))).join(' | ')} |`,
    )
    .join('\n');
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

/**
 * @param {string} cell
 * @param {number} width
 * @param {boolean} left
 */
function align(cell, width, left) {
  return left ? cell.padEnd(width) : cell.padStart(width);
}
