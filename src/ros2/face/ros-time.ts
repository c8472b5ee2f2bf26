import { nsPerS } from '../../core/index.js';
import type { CdrWriter } from '../../messages/index.js';

/** Seconds are a signed 32-bit number. */
const latestSec = 2n ** 31n - 1n;

/**
 * Writes a `builtin_interfaces/msg/Time`.
 * @param ns 0 or more; what the 32 bits of its seconds do not hold becomes the latest time they do.
 */
export function writeTime(writer: CdrWriter, ns: bigint): void {
  const sec = ns / nsPerS;
  const fits = sec <= latestSec;
  writer.int32(Number(fits ? sec : latestSec), 'sec');
  writer.uint32(fits ? Number(ns % nsPerS) : 0, 'nanosec');
}
