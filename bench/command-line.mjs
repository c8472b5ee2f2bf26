import { parseArgs } from 'node:util';

/**
 * @typedef {object} BenchOptions
 * @property {'rows' | 'profile' | 'growth' | 'endurance'} mode
 * @property {readonly string[]} only names of rows; empty: all
 * @property {boolean} quick fewer loads and shorter runs, under 50 s in all
 * @property {string | undefined} json file for the results
 * @property {number} repeat runs of each side per load
 * @property {boolean} patient wait for quiet moments, and repeat runs that were disturbed
 * @property {'check' | 'update' | undefined} baseline
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
  --check         fail when a ratio is worse than that in bench/baseline.json by more than 1.5 ×
  --update-baseline
                  write bench/baseline.json from this run of all rows

instead of the rows:
  --profile       where the time of a period goes
  --growth        what a vehicle and a controller more cost
  --endurance     whether memory stays flat over 10⁶ simulated steps
  --help          this text`;

const modes = /** @type {const} */ (['profile', 'growth', 'endurance']);

/** What has a meaning for rows only. */
const ofRows = /** @type {const} */ ([
  'only',
  'quick',
  'repeat',
  'patient',
  'json',
  'check',
  'update-baseline',
]);

/**
 * @param {string[]} args
 * @returns {BenchOptions | 'help'}
 * @throws {UsageError}
 */
export function readCommandLine(args) {
  const { values } = parse(args);
  if (values.help === true) return 'help';
  const named = modes.filter((mode) => values[mode] === true);
  if (named.length > 1) throw new UsageError(`One of ${flags(named)} at a time.`);
  const [mode = 'rows'] = named;
  const idle = mode === 'rows' ? [] : ofRows.filter((flag) => values[flag] !== undefined);
  if (idle.length > 0) throw new UsageError(`--${mode} stands alone: leave out ${flags(idle)}.`);
  const quick = values.quick === true;
  return {
    mode,
    only: values.only?.split(',') ?? [],
    quick,
    json: values.json,
    patient: values.patient === true,
    repeat: repeatOf(values.repeat ?? (quick ? '2' : '3')),
    baseline: baselineOf(values),
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
        check: { type: 'boolean' },
        'update-baseline': { type: 'boolean' },
        profile: { type: 'boolean' },
        growth: { type: 'boolean' },
        endurance: { type: 'boolean' },
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

/** @param {ReturnType<typeof parse>['values']} values */
function baselineOf(values) {
  if (values['update-baseline'] !== true) return values.check === true ? 'check' : undefined;
  if (values.check === true) throw new UsageError('--check or --update-baseline, not both.');
  if (values.quick === true || values.only !== undefined) {
    throw new UsageError('--update-baseline is for a full run: without --quick and --only.');
  }
  return 'update';
}

/** @param {readonly string[]} names */
function flags(names) {
  return names.map((name) => `--${name}`).join(', ');
}
