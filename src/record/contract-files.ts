import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttachedFile } from './run-recorder.js';

/** The same from src/record/ and from dist/cli/. */
const idlFolder = new URL('../../idl/', import.meta.url);

/** The wire contract and the QoS, so that a recording explains itself. */
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
    data: readFileSync(qosFile),
  };
  return [...idl, qos];
}
