import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of flags, configuration files and other settings. */
export const configurationErrors = {
  /** `isFlag`: it stands on the command line of `command`, which is left out for `run`. */
  HLC_CONFIG_UNKNOWN_NAME: entry<{
    what: string;
    nearest?: string;
    isFlag?: boolean;
    command?: string;
  }>(
    ExitCode.usage,
    (d) =>
      `Unknown ${d.what}; ${d.nearest === undefined ? '' : `did you mean ${d.nearest}? `}${d.command === undefined ? '"hlc-middleware run --help" lists all names' : `"hlc-middleware ${d.command} --help" says which flags it takes`}.`,
  ),
  HLC_CONFIG_ARGUMENT: entry<{ argument: string }>(
    ExitCode.usage,
    (d) => `The argument "${d.argument}" is not a flag; write flags as --name=value.`,
  ),
  HLC_CONFIG_NO_VALUE: entry<{ name: string; rule: string }>(
    ExitCode.usage,
    (d) => `${d.name} has no value; write ${d.name}=VALUE, where the value is ${d.rule}.`,
  ),
  HLC_CONFIG_VALUE: entry<{ name: string; value: string; rule: string; nearest?: string }>(
    ExitCode.usage,
    (d) =>
      `The value "${d.value}" of ${d.name} is refused: it must be ${d.rule}${d.nearest === undefined ? '.' : `; did you mean ${d.nearest}?`}`,
  ),
  HLC_CONFIG_NOT_SERVED: entry<{ what: string; reason: string; servedValues: readonly string[] }>(
    ExitCode.usage,
    (d) =>
      `${d.what} is not supported here (${d.reason}); leave it out${d.servedValues.length === 0 ? '' : ` or give it the value ${d.servedValues.join(' or ')}`}.`,
  ),
  HLC_CONFIG_NOT_TAKEN: entry<{ flag: string; command: string; taken: readonly string[] }>(
    ExitCode.usage,
    (d) =>
      `The flag ${d.flag} has no effect on "${d.command}", which takes ${d.taken.join(', ')} of "run"; leave it out.`,
  ),
  HLC_CONFIG_CONFLICT: entry<{ first: string; second: string }>(
    ExitCode.usage,
    (d) => `${d.first} and ${d.second} exclude each other; give only one of them.`,
  ),
  HLC_CONFIG_FILE_READ: entry<{ path: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The configuration file "${d.path}" cannot be read (${d.cause}); check the path that --config or HLC_MIDDLEWARE_CONFIG gives.`,
  ),
  HLC_CONFIG_FILE_CONTENT: entry<{ path: string; line: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The configuration file is wrong at ${d.path}:${d.line} (${d.cause}); correct that line.`,
  ),
  HLC_CONFIG_PERIOD_MISSING: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `The period is not given, and with --time-source=self no lab is asked for it; give it with --period-ms, for example --period-ms=50.`,
  ),
  HLC_CONFIG_SAME_DOMAIN: entry<{ domainId: number }>(
    ExitCode.usage,
    (d) =>
      `The lab side and the controller side are both on DDS domain ${d.domainId}, where every forwarded command would come back as a new one; give --dds-domain and --domain-number different values.`,
  ),
  HLC_CONFIG_MIXED_DOMAIN: entry<{ domainId: number }>(
    ExitCode.usage,
    (d) =>
      `The lab side and the controller side are both on DDS domain ${d.domainId}, one with plain DDS and one with ROS 2, and one process cannot open a domain both ways; give --dds-domain and --domain-number different values.`,
  ),
  HLC_CONFIG_ROS_ARGUMENT: entry<{ argument: string; cause: string }>(
    ExitCode.usage,
    (d) => `The ROS argument "${d.argument}" is refused (${d.cause}); correct it.`,
  ),
  HLC_CONFIG_ROS_DOMAIN: entry<{ value: string }>(
    ExitCode.usage,
    (d) =>
      `The value "${d.value}" of ROS_DOMAIN_ID is refused: it must be a whole number from 0 to 232.`,
  ),
  HLC_CONFIG_PEER: entry<{ peer: string; cause: string; accepted: string }>(
    ExitCode.usage,
    (d) => `The discovery peer "${d.peer}" is not accepted (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_CONFIG_COMMAND: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The command line is not understood: ${d.cause}; "hlc-middleware --help" lists the commands.`,
  ),
  HLC_TIME_PERIOD: entry<{ periodNs: bigint }>(
    ExitCode.usage,
    (d) => `The period is ${d.periodNs} ns; give one above 0.`,
  ),
  HLC_TIME_OFFSET: entry<{ offsetNs: bigint; periodNs: bigint }>(
    ExitCode.usage,
    (d) =>
      `The offset ${d.offsetNs} ns does not fit the period ${d.periodNs} ns; give an offset of 0 or more that, in real time, is less than the period.`,
  ),
  HLC_TIME_FACTOR: entry<{ factor: number }>(
    ExitCode.usage,
    (d) => `The real-time factor is ${d.factor}; give a finite number above 0.`,
  ),
  HLC_VEHICLE_IDS: entry<{ ids: readonly number[] }>(
    ExitCode.usage,
    (d) =>
      `The vehicle ids [${d.ids.join(', ')}] cannot be used; give at least one, each a whole number from 0 to 255.`,
  ),
  HLC_CONFIG_NEEDS: entry<{ what: string; needs: string }>(
    ExitCode.usage,
    (d) => `${d.what} has an effect only with ${d.needs}; add that, or leave ${d.what} out.`,
  ),
} as const;
