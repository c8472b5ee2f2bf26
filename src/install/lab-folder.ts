import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HlcError } from '../errors/index.js';

/** The files of the lab's software that an installation changes or reads. */
export interface LabFolder {
  readonly root: string;
  /** What the control centre starts. */
  readonly program: string;
  /** The original program, while ours is in its place. */
  readonly keptProgram: string;
  readonly buildScript: string;
  readonly qosTemplate: string;
  /** Copied into the folders of the users' scripts when these start. */
  readonly qosFile: string;
}

/** @throws HlcError `HLC_INSTALL_FOLDER` when this is not the software of a CPM Lab. */
export function openLabFolder(folder: string): LabFolder {
  const root = path.resolve(folder);
  const inMiddleware = (name: string) => path.join(root, 'middleware', name);
  const buildScript = inMiddleware('build.bash');
  const qosTemplate = inMiddleware('QOS_LOCAL_COMMUNICATION.xml.template');
  for (const file of [buildScript, qosTemplate]) {
    if (!existsSync(file)) throw new HlcError('HLC_INSTALL_FOLDER', { folder: root, file });
  }
  return {
    root,
    program: inMiddleware('build/middleware'),
    keptProgram: inMiddleware('build/middleware.original'),
    buildScript,
    qosTemplate,
    qosFile: inMiddleware('build/QOS_LOCAL_COMMUNICATION.xml'),
  };
}

/** The beginning of a file as text; undefined when there is no file. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
