/** A line of a stack in a report: the function, and the module behind it. */
const framePattern = /^ {4}#\d+ (\S+).*\((\S+)\+0x[\da-f]+\)$/;

/** The begin of a stack that shows one of the two accesses of a data race. */
const accessPattern = /^ {2}(?:Previous )?(?:atomic )?(?:read|write) of size /i;

/** Modules that are not compiled with ThreadSanitizer. */
const foreignPattern = /^(?:libddsc\.so.*|node)$/;

const allocations = ['malloc', 'calloc', 'realloc', 'free'];

/** What one of the two threads of a data race did. */
interface Access {
  /** The innermost function; often one of the C library. */
  readonly what: string;
  /** True when code that is not compiled with ThreadSanitizer did or called it. */
  readonly foreign: boolean;
}

/**
 * The reports of ThreadSanitizer that are about the add-on. Cyclone DDS and Node are not compiled with
 * it: it does not see the atomic operations by which they order their accesses, while it sees the
 * functions of the C library that they call. So it reports `free` in one thread of Cyclone's after
 * `sendmsg` in another. Left out are data races
 * - in which both accesses are made by Cyclone or Node,
 * - in which Cyclone or Node allocates or frees the memory: the library counts the references to its
 *   samples, also those of the add-on. AddressSanitizer would find a use of what it has freed.
 *
 * A file of suppressions cannot say that: it can name a library only at any place of a stack, and
 * Cyclone is in the stack of every listener of the add-on.
 * @param lines standard error of a program
 */
export function ownReports(lines: readonly string[]): string[] {
  const reports: string[] = [];
  let report: string[] | undefined;
  for (const line of lines) {
    if (line.startsWith('WARNING: ThreadSanitizer: ')) report = [];
    report?.push(line);
    if (report === undefined || !line.startsWith('SUMMARY: ')) continue;
    if (!isForeign(report)) reports.push(report.join('\n'));
    report = undefined;
  }
  // The end of the process may cut the last one off.
  if (report !== undefined) reports.push(report.join('\n'));
  return reports;
}

function isForeign(report: readonly string[]): boolean {
  if (!report[0]?.includes('data race')) return false;
  const accesses = report.flatMap((line, i) =>
    accessPattern.test(line) ? [accessOf(report.slice(i + 1))] : [],
  );
  const allocated = accesses.some(({ what, foreign }) => foreign && allocations.includes(what));
  return allocated || (accesses.length > 0 && accesses.every(({ foreign }) => foreign));
}

/** @param stack begins with the innermost function */
function accessOf(stack: readonly string[]): Access {
  let what: string | undefined;
  for (const line of stack) {
    const [, name = '', path] = framePattern.exec(line) ?? [];
    if (path === undefined) break;
    what ??= name;
    const module = path.split('/').at(-1) ?? '';
    if (!module.startsWith('libtsan.so')) return { what, foreign: foreignPattern.test(module) };
  }
  return { what: what ?? '', foreign: false };
}
