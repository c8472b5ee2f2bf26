import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HlcError } from '../../errors/index.js';
import { projectFolder } from '../project-folder.js';
import { parseQosFile } from './parse-qos-file.js';
import type { QosLibraries } from './qos-libraries.js';

const shippedFolder = new URL('qos/', projectFolder);

/** Path of the QoS file that is used when none is named. */
export const defaultQosFile = fileURLToPath(new URL('default.xml', shippedFolder));

/** The shipped definitions: RTI Connext's built-in profiles, and on top the default deployment. */
export function loadShippedQos(): QosLibraries {
  const builtin = fileURLToPath(new URL('builtin-rti.xml', shippedFolder));
  return readAndParse(defaultQosFile, readAndParse(builtin));
}

/**
 * Reads a QoS file. Its profiles can inherit from the shipped ones (`BuiltinQosLib::…`,
 * `BuiltinQosLibExp::…`, `HlcMiddleware::…`), and hide those with the same full name.
 * @param path the shipped definitions alone when there is none.
 * @throws HlcError `HLC_QOS_FILE`, and those of `parseQosFile`.
 */
export function loadQosFile(path: string | undefined): QosLibraries {
  return path === undefined ? loadShippedQos() : readAndParse(path, loadShippedQos());
}

function readAndParse(path: string, loaded?: QosLibraries): QosLibraries {
  return parseQosFile(readText(path), path, loaded);
}

function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new HlcError('HLC_QOS_FILE', { file: path, cause }, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const details = { file: path, line: 1, cause: 'it is not UTF-8' };
    throw new HlcError('HLC_QOS_XML', details, { cause: error });
  }
}
