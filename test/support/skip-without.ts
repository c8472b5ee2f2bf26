import { beforeEach } from 'vitest';

/**
 * Skips each test of the suite or file in which it is called, where something is missing.
 * @param missing what, for the reason; undefined when all is there
 */
export function skipWithout(missing: string | undefined): void {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });
}
