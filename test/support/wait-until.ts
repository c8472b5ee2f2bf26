import { vi } from 'vitest';

/**
 * How long a poll takes at most, ms: as the waits of a Recorder. The second that Vitest grants is less
 * than a busy machine may need.
 */
const patience = { timeout: 15_000, interval: 10 };

/** Settles when this is true; for a state that no event reports. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  await vi.waitUntil(isSo, patience);
}

/** Settles with what this gives when it throws no more. */
export function waitFor<T>(attempt: () => T): Promise<T> {
  return vi.waitFor(attempt, patience);
}
