import { HlcError } from '../../errors/index.js';
import { flagName } from '../options/names.js';
import type { RunOptionKey } from '../options/run-options.js';
import { readCommandLine } from './command-line.js';
import { splitArguments } from './ros/index.js';

/** Flags that say the same as another one. */
const spellings: Readonly<Partial<Record<RunOptionKey, readonly RunOptionKey[]>>> = {
  vehicleIds: ['vehicleId', 'vehicleAmount'],
  periodMs: ['periodNanoseconds'],
  labSide: ['transport', 'naming', 'labTransport', 'labNaming'],
  controllerSide: ['transport', 'naming', 'controllerTransport', 'controllerNaming'],
};

/**
 * Refuses flags of `run` that have no effect on a command. It takes `--config` beside the given
 * ones: one file may be for all programs of a lab.
 * @param argv arguments of the command, without its own flags.
 * @param taken the flags of `run` that have an effect on it.
 * @param command as on the command line, for example `gateway cave`.
 * @throws HlcError `HLC_CONFIG_NOT_TAKEN`, `HLC_CONFIG_NO_VALUE`.
 */
export function refuseOtherFlags(
  argv: readonly string[],
  taken: readonly RunOptionKey[],
  command: string,
): void {
  const { assignments } = readCommandLine(splitArguments(argv).own);
  const allowed = new Set(['config', ...taken.flatMap((key) => [key, ...(spellings[key] ?? [])])]);
  const other = assignments.find(({ key }) => !allowed.has(key));
  if (other === undefined) return;
  throw new HlcError('HLC_CONFIG_NOT_TAKEN', {
    flag: flagName(other.key),
    command,
    taken: taken.map(flagName),
  });
}
