import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HlcError } from '../errors/index.js';
import type { AttachedFile } from './run-recorder.js';

/** The same from src/record/ and from dist/cli/. */
const idlFolder = new URL('../../idl/', import.meta.url);

/**
 * The wire contract and the QoS, so that a recording explains itself.
 * @throws HlcError `HLC_QOS_FILE`.
 */
export function contractFiles(qosFile: string): AttachedFile[] {
  const idl = readdirSync(idlFolder)
    .filter((name) => name.endsWith('.idl'))
    .map((name) => ({
      name: `idl/${name}`,
      mediaType: 'text/plain',
      data: readFileSync(new URL(name, idlFolder)),
    }));
  const qos = {
    name: `qos/${path.basename(qosFile)}`,
    mediaType: 'application/xml',
    data: bytesOf(qosFile),
  };
  return [...idl, qos];
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new HlcError('HLC_QOS_FILE', { file, cause: (error as Error).message }, { cause: error });
  }
}
