/**
 * A table in Markdown with aligned columns, as prettier formats it.
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 * @param {ReadonlySet<number>} [right] columns of numbers, aligned to the right
 */
export function markdownTable(headings, rows, right = new Set()) {
  const lines = [headings, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = headings.map((_, column) =>
    Math.max(3, ...lines.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width, column) =>
    right.has(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  const [head = [], ...body] = lines.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return right.has(column) ? cell.padStart(width) : cell.padEnd(width);
    }),
  );
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
