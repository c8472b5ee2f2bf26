import path from 'node:path';
import { cmakeBuild } from '../../tools/build-native.mjs';

const folder = 'build/peers';

/** The programs in C of this folder. */
export type PeerName = 'garbage-writer' | 'start-reader';

/**
 * Builds the programs as far as they are not up to date.
 * @returns their paths
 * @throws Error with the output of cmake when the build fails.
 */
export function buildPeers(): Readonly<Record<PeerName, string>> {
  cmakeBuild('test/peers', folder);
  return {
    'garbage-writer': path.resolve(folder, 'garbage-writer'),
    'start-reader': path.resolve(folder, 'start-reader'),
  };
}
