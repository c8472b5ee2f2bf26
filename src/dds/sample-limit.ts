/**
 * A sample with more bytes than this is dropped: no message of the wire contract comes near. What
 * comes in fragments is dropped by the first of them.
 */
export const maxSampleBytes = 4 * 1024 * 1024;
