import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HlcError } from '../../../../src/errors/index.js';
import {
  findProfile,
  parseQosFile,
  type QosLibraries,
  type QosProfile,
} from '../../../../src/dds/qos/index.js';

/** Path of a file in the folder of this module. */
export function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export function textOf(name: string): string {
  return readFileSync(pathOf(name), 'utf8');
}

/** A file with one profile `L::P` that holds the given XML. */
export function inProfile(inner: string, attributes = ''): string {
  return `<dds><qos_library name="L"><qos_profile name="P" ${attributes}>${inner}</qos_profile></qos_library></dds>`;
}

/** The profile `L::P` of such a file. */
export function profileOf(inner: string): QosProfile {
  return findProfile(parseQosFile(inProfile(inner), 'test.xml'), 'L::P');
}

/** The profile `L::<name>` of a file with the given profiles in one library `L`. */
export function profileIn(profiles: string, name: string): QosProfile {
  const text = `<dds><qos_library name="L">${profiles}</qos_library></dds>`;
  return findProfile(parseQosFile(text, 'test.xml'), `L::${name}`);
}

/** The error that reading ends with. */
export function refusalOf(read: () => QosLibraries): HlcError {
  let refusal: unknown;
  try {
    read();
  } catch (error) {
    refusal = error;
  }
  if (!(refusal instanceof HlcError)) throw new Error('the file was not refused');
  return refusal as HlcError;
}
