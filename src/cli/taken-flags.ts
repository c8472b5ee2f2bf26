import {
  flagName,
  parseRunConfig,
  refuseOtherFlags,
  type Presets,
  type RunConfig,
  type RunOptionKey,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';

/** The flags of `run` that a command takes. */
export interface TakenFlags {
  /** As on the command line, for example `gateway cave`. */
  readonly command: string;
  /** In the order in which the help names them. */
  readonly keys: readonly RunOptionKey[];
  /** Defaults of this command. */
  readonly presets?: Presets;
}

/** For programs of one side: the default domain of the other one must not forbid a domain. */
export const onlyLabSide = { domainNumber: '232' } as const satisfies Presets;
export const onlyControllerSide = { ddsDomain: '232' } as const satisfies Presets;

/**
 * The network of the lab side, for programs that take part in it. `--compat` has an effect on the
 * default of `--local-addresses`.
 */
export const labNetwork = [
  'ddsDomain',
  'ddsInitialPeer',
  'interface',
  'localAddresses',
  'compat',
] as const satisfies readonly RunOptionKey[];

/** The network of the controller side. */
export const controllerNetwork = [
  'domainNumber',
  'interface',
  'localAddresses',
  'compat',
] as const satisfies readonly RunOptionKey[];

/** The networks of both sides, each flag once. */
export const bothNetworks: readonly RunOptionKey[] = [
  ...new Set([...labNetwork, ...controllerNetwork]),
];

/** For the help: `--dds-domain, --interface and --period-ms (default here: 50) of "run"`. */
export function takenFlagsText({ keys, presets = {} }: TakenFlags): string {
  const names = keys.map((key) => {
    const preset = presets[key];
    return preset === undefined ? flagName(key) : `${flagName(key)} (default here: ${preset})`;
  });
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} of "run"`;
}

/**
 * The configuration of a command that takes some flags of `run`.
 * @param argv its arguments without its own flags.
 * @throws HlcError `HLC_CONFIG_NOT_TAKEN` for a flag that would have no effect, and as
 *   `parseRunConfig`.
 */
export function parseTakenFlags(
  argv: readonly string[],
  { command, keys, presets }: TakenFlags,
  { environment, readFile }: CommandContext,
): RunConfig {
  refuseOtherFlags(argv, keys, command);
  return parseRunConfig(argv, environment, readFile, presets);
}
