import type { Environment } from '../config/index.js';

/**
 * A warning when npm took flags of this program for its own: `npm start --own=1` gives the program
 * no flag, only `npm_config_own=1` in its environment.
 * @param flags of this program, such as `--own`.
 * @returns undefined when npm took none.
 */
export function npmFlagsWarning(
  environment: Environment,
  flags: readonly string[],
): string | undefined {
  if (environment.npm_lifecycle_event !== 'start') return undefined;
  const taken = flags.flatMap((flag) => {
    const value = environment[`npm_config_${flag.slice(2).replaceAll('-', '_')}`];
    return value === undefined ? [] : [`${flag}=${value === '' ? 'false' : value}`];
  });
  if (taken.length === 0) return undefined;
  return `npm took ${taken.join(' ')} as a flag of its own, and the run goes on without it; write "npm start -- ${taken.join(' ')}".`;
}
