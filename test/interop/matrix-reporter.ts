import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

const columns = ['ready', 'state list', 'commands', 'simulated time', 'rejoin'];

/** Prints which language passed which test: one row per language, with what is missing for it. */
export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const matrix = modules.filter(({ moduleId }) => moduleId.includes('/interop/matrix/'));
    const suites = matrix.flatMap((module) => [...module.children.suites()]);
    const head = ['', ...columns];
    const rows = [head, ...suites.map(rowOf)];
    const full = rows.filter((row) => row.length === head.length); // others have a sentence
    const widths = head.map((_, i) => Math.max(...full.map((row) => row[i]?.length ?? 0)));
    const lines = rows.map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    console.log(`\n${lines.join('\n')}\n`);
  }
}

function rowOf(suite: TestSuite): string[] {
  const tests = [...suite.children.tests()];
  const cells = columns.map((column) => tests.filter(({ name }) => name.startsWith(column)));
  if (cells.some((found) => found.length > 0)) return [suite.name, ...cells.map(cellOf)];
  return [suite.name, ...tests.map(({ name }) => name)];
}

/** A column is one test, or one per time mode. */
function cellOf(tests: readonly TestCase[]): string {
  const states = tests.map((test) => test.result().state);
  if (states.includes('failed')) return 'FAIL';
  return states.length > 0 && states.every((state) => state === 'passed') ? 'pass' : '-';
}
