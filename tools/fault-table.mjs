// The fault table from the report of the suites "stops" and "faults": one aligned line per row.

import { readFileSync } from 'node:fs';

/**
 * @typedef {{
 *   row: number,
 *   fault: string,
 *   mode: string,
 *   expected: string,
 *   measured: string,
 * }} Figure
 * @typedef {{
 *   status: string,
 *   meta?: { fault?: Figure },
 *   failureMessages?: string[],
 * }} TestResult
 * @typedef {{ testResults: { assertionResults: TestResult[] }[] }} Report
 */

const head = ['row', 'fault', 'mode', 'expected', 'measured', 'result'];

/**
 * The rows of a report, in the order of the table.
 * @param {string} file written by vitest's json reporter
 * @returns {string[][]} row, fault, mode, expected, measured, result
 */
export function readFaultRows(file) {
  /** @type {unknown} */
  const parsed = JSON.parse(readFileSync(file, 'utf8'));
  const report = /** @type {Report} */ (parsed);
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap((test) => (test.meta?.fault === undefined ? [] : [{ test, ...test.meta.fault }]))
    .sort((a, b) => a.row - b.row || a.mode.localeCompare(b.mode))
    .map(({ row, fault, mode, expected, measured, test }) => [
      String(row),
      fault,
      mode,
      expected,
      measured,
      resultOf(test),
    ]);
}

/** @param {TestResult} test what was skipped has its reason in place of the figure */
function resultOf({ status }) {
  if (status === 'passed') return 'pass';
  return status === 'failed' ? 'FAIL' : 'skipped';
}

/**
 * The rows for a terminal: the result in front, and what failed at the end.
 * @param {string[][]} rows as `readFaultRows` returns them
 */
export function faultTable(rows) {
  const passed = rows.filter((cells) => cells.at(-1) === 'pass');
  const others = rows.filter((cells) => cells.at(-1) !== 'pass');
  const all = [head, ...passed, ...others].map(
    ([row = '', fault = '', mode = '', expected = '', measured = '', result = '']) => [
      row,
      result,
      mode,
      fault,
      expected,
      measured,
    ],
  );
  // The last column is the long one: it gets no blanks.
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  return all
    .map((row) => row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell)))
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}
