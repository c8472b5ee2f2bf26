import type { Clocks, Pacer } from '../../src/dds/index.js';

/** This thread does nothing else for so long. */
export function hang(forMs: number): void {
  const begin = performance.now();
  while (performance.now() < begin + forMs);
}

/** Settles with a tick: the pacer has done all that was due before. */
export function tick(pacer: Pacer, clocks: Clocks, inMs: number): Promise<void> {
  return new Promise((resolve) => {
    pacer.onTick(() => resolve());
    pacer.arm(clocks.monotonicNs() + BigInt(inMs) * 1_000_000n);
  });
}
