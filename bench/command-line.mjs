import { parseArgs } from 'node:util';

/**
 * @typedef {object} BenchOptions
 * @property {readonly string[]} only names of rows; empty: all
 * @property {boolean} quick fewer loads and shorter runs, under 50 s in all
 * @property {string | undefined} json file for the results
 * @property {number} repeat runs of each side per load
 * @property {boolean} patient wait for quiet moments, and repeat runs that were disturbed
 */

/** A command line that cannot be obeyed. */
export class UsageError extends Error {}

export const usage = `npm run bench -- [flags]

  --only=NAME,…   these rows only
  --quick         fewer loads and shorter runs: all rows in less than 50 s
  --repeat=N      runs of each side per load (3; with --quick 2)
  --patient       on a shared machine: wait until no other program works before each run, and
                  make a run again when one did meanwhile
  --json=FILE     write the results to this file
  --help          this text`;

/**
 * @param {string[]} args
 * @returns {BenchOptions | 'help'}
 * @throws {UsageError}
 */
export function readCommandLine(args) {
  const { values } = parse(args);
  if (values.help === true) return 'help';
  const quick = values.quick === true;
  return {
    only: values.only?.split(',') ?? [],
    quick,
    json: values.json,
    patient: values.patient === true,
    repeat: repeatOf(values.repeat ?? (quick ? '2' : '3')),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean' },
        repeat: { type: 'string' },
        patient: { type: 'boolean' },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message}\n\n${usage}`, { cause: error });
  }
}

/** @param {string} text */
function repeatOf(text) {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) return count;
  throw new UsageError(`--repeat takes an integer from 1 to 1000, not "${text}".`);
}
