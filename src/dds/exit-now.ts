import { loadNative } from './native.js';

/**
 * Ends this process at once (`_exit`): Node resets no terminal and flushes no stream, and DDS says
 * goodbye to nobody. For a process that must not fail at its end: on a terminal that is gone, Node's
 * own end is a crash.
 * @param code exit code, 0 to 255
 * @throws HlcError `HLC_NATIVE_MISSING` when the add-on cannot be loaded.
 */
export function exitNow(code: number): never {
  return loadNative().exitNow(code);
}
