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
 * Builds the programs as far as they are not up to date, before any test.
 * @throws Error with the output of cmake when the build fails.
 */
export function buildPeers(): void {
  cmakeBuild('test/peers', folder);
}

/** The paths of the programs, which a set-up of the tests has built (build-before.ts). */
export function builtPeers(): Readonly<Record<PeerName, string>> {
  const paths = names.map((name) => [name, path.resolve(folder, name)]);
  return Object.fromEntries(paths) as Record<PeerName, string>;
}
