import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;

/** @param kind minor: of the young generation only. */
export function collectGarbage(kind?: 'minor'): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  if (kind === undefined) collect();
  else collect({ type: kind });
}

/** Bytes in the heap and in array buffers, after a collection. */
export function usedMemory(): number {
  // What an array buffer had is freed with the collection after it.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes in the old generation. */
export function oldMemory(): number {
  const old = getHeapSpaceStatistics().find((space) => space.space_name === 'old_space');
  return old?.space_used_size ?? NaN;
}
