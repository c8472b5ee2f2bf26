import { parseArgs } from 'node:util';

/**
 * @typedef {object} BenchOptions
 * @property {'rows' | 'profile' | 'growth' | 'endurance' | 'page'} mode
 * @property {readonly string[]} only names of rows; empty: all
 * @property {boolean} quick fewer loads and shorter runs, under 50 s in all
 * @property {string | undefined} json file for the results
 * @property {number} repeat runs of each side per load
 * @property {boolean} waitForIdle wait until the machine is idle, and repeat disturbed runs
 * @property {'check' | 'update' | undefined} baseline
 * @property {boolean} updateDocs write docs/reference/performance.md
 */

/** A wrong command line. */
export class UsageError extends Error {}

export const usage = `npm run bench -- [flags]

Measures all rows:
  --only=NAME,…      measure these rows only
  --quick            fewer loads and shorter runs: all rows in less than 50 s
  --repeat=N         runs of each side per load (default: 3, with --quick 2)
  --wait-for-idle    before each run, wait until no other program uses the processor; repeat a
                     run that another program disturbed
  --json=FILE        write the results to this file
  --check            end with exit code 1 when a ratio is worse than the one in
                     bench/baseline.json by more than 1.5 ×
  --update-baseline  write the ratios of this processor to bench/baseline.json, from this run of
                     all rows
  --update-docs      write docs/reference/performance.md from this run of all rows

Measures something else:
  --profile          processor time of a period, by parts of the program
  --growth           processor time per additional vehicle and controller
  --endurance        resident memory over 10⁶ simulated steps
  --page             time and memory of the observer's page in Chromium, over 10 minutes
  --help             print this help`;

const modes = /** @type {const} */ (['profile', 'growth', 'endurance', 'page']);

/** Flags for rows only. */
const rowFlags = /** @type {const} */ ([
  'only',
  'quick',
  'repeat',
  'wait-for-idle',
  'json',
  'check',
  'update-baseline',
  'update-docs',
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
  if (named.length > 1)
    throw new UsageError(`${flags(named)} exclude each other; give one of them.`);
  const [mode = 'rows'] = named;
  const idle = mode === 'rows' ? [] : rowFlags.filter((flag) => values[flag] !== undefined);
  if (idle.length > 0)
    throw new UsageError(`--${mode} takes no other flag; leave out ${flags(idle)}.`);
  const quick = values.quick === true;
  return {
    mode,
    only: values.only?.split(',') ?? [],
    quick,
    json: values.json,
    waitForIdle: values['wait-for-idle'] === true,
    repeat: repeatOf(values.repeat ?? (quick ? '2' : '3')),
    baseline: baselineOf(values),
    updateDocs: updatesDocs(values),
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
        'wait-for-idle': { type: 'boolean' },
        json: { type: 'string' },
        check: { type: 'boolean' },
        'update-baseline': { type: 'boolean' },
        'update-docs': { type: 'boolean' },
        profile: { type: 'boolean' },
        growth: { type: 'boolean' },
        endurance: { type: 'boolean' },
        page: { type: 'boolean' },
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
  if (values.check === true)
    throw new UsageError('--check and --update-baseline exclude each other; give one of them.');
  requireAllRows(values, '--update-baseline');
  return 'update';
}

/** @param {ReturnType<typeof parse>['values']} values */
function updatesDocs(values) {
  if (values['update-docs'] !== true) return false;
  requireAllRows(values, '--update-docs');
  return true;
}

/**
 * @param {ReturnType<typeof parse>['values']} values
 * @param {string} flag
 */
function requireAllRows(values, flag) {
  if (values.quick !== true && values.only === undefined) return;
  throw new UsageError(`${flag} needs a run of all rows; leave out --quick and --only.`);
}

/** @param {readonly string[]} names */
function flags(names) {
  return names.map((name) => `--${name}`).join(', ');
}
