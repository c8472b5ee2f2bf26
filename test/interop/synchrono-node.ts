import { cmakeBuild } from '../../tools/build-native.mjs';
import { addNamespace, ip } from '../support/network-namespaces.js';
import { missingTool } from './languages.js';

const built = 'build/examples/synchrono';

/** The node of SynChrono in examples/synchrono, once it is built. */
export const synchronoNode = `${built}/node`;

/** What is missing to build the node; undefined when all is there. */
export const missingForNode = missingTool({
  fastddsgen: ['fastddsgen', '-version'],
  'Fast DDS (libfastrtps-dev)': ['test', '-e', '/usr/include/fastdds/dds/topic/Topic.hpp'],
  'flatc (flatbuffers-compiler)': ['flatc', '--version'],
  'FlatBuffers (libflatbuffers-dev)': ['test', '-e', '/usr/include/flatbuffers/flatbuffers.h'],
});

/** Builds the node, as far as it is not up to date. */
export function buildNode(): void {
  cmakeBuild('examples/synchrono', built);
}

let networks = 0;

/**
 * Opens a network of its own with the loopback interface only, since nodes of SynChrono use all network
 * interfaces. It is gone when the test is over.
 * @returns a command and its first arguments, through which programs run in it; or the reason why
 *   there is none.
 */
export function openNetwork(): readonly string[] | string {
  const name = `hlc-synchrono-${process.pid}-${networks++}`;
  const namespace = addNamespace(name, 'lo', '127.0.0.1');
  if (typeof namespace === 'string') return namespace;
  return ip('-n', name, 'link', 'set', 'lo', 'up') ?? namespace.through;
}
