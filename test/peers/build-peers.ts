import path from 'node:path';
import { cmakeBuild } from '../../tools/build-native.mjs';

const folder = 'build/peers';

/** The programs in C of this folder. */
const names = [
  'garbage-writer',
  'start-reader',
  'judge-vehicle',
  'judge-controller',
  'raw-writer',
  'link-emulator',
  'closing-terminal',
  'service-manager',
  'ros-node',
  'udp-capture',
] as const;

export type PeerName = (typeof names)[number];

/**
 * Builds the programs as far as they are not up to date.
 * @returns their paths
 * @throws Error with the output of cmake when the build fails.
 */
export function buildPeers(): Readonly<Record<PeerName, string>> {
  cmakeBuild('test/peers', folder);
  const paths = names.map((name) => [name, path.resolve(folder, name)]);
  return Object.fromEntries(paths) as Record<PeerName, string>;
}
