import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of QoS files. */
export const qosErrors = {
  HLC_QOS_FILE: entry<{ file: string; cause: string }>(
    ExitCode.usage,
    (d) => `The QoS file ${d.file} cannot be read (${d.cause}); check --qos-file.`,
  ),
  HLC_QOS_XML: entry<{ file: string; line: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: this is no well-formed QoS file (${d.cause}); accepted is XML in UTF-8, of at most 1 MiB, without DOCTYPE and entities.`,
  ),
  HLC_QOS_ELEMENT: entry<{
    file: string;
    line: number;
    element: string;
    name: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: ${d.name} is not known here; accepted: ${d.accepted}.`,
  ),
  HLC_QOS_VALUE: entry<{
    file: string;
    line: number;
    element: string;
    value: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: the value "${d.value}" is not accepted; accepted: ${d.accepted}.`,
  ),
  HLC_QOS_DUPLICATE: entry<{
    file: string;
    line: number;
    element: string;
    firstLine: number;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element} was already given in line ${d.firstLine}; accepted: one of them, remove the other or give it a name of its own.`,
  ),
  HLC_QOS_BASE: entry<{
    file: string;
    line: number;
    element: string;
    base: string;
    cause: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: cannot inherit from "${d.base}" (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_QOS_INCONSISTENT: entry<{
    file: string;
    line: number;
    element: string;
    cause: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: the policies contradict each other (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_QOS_PROFILE: entry<{ file: string; profile: string; cause: string; accepted: string }>(
    ExitCode.usage,
    (d) =>
      `${d.file}: there is no QoS profile to use for "${d.profile}" (${d.cause}); accepted: ${d.accepted}.`,
  ),
} as const;
