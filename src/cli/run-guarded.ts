import type { RunConfig } from '../config/index.js';
import { runMiddleware, type RunHooks } from '../node/index.js';
import { GuardChild } from './guard-child.js';

/**
 * Runs one middleware to its end, with a guard as a second process where the configuration asks for
 * one.
 * @param left what becomes of a guard that still holds a vehicle at the end.
 * @returns the exit code of the process.
 * @throws HlcError as `runMiddleware`, or `HLC_GUARD`.
 */
export async function runGuarded(
  config: RunConfig,
  hooks: RunHooks = {},
  left: 'leave' | 'kill' = 'leave',
): Promise<number> {
  if (!config.safety.guard) return runMiddleware(config, hooks);
  const guard = new GuardChild(config, process.env);
  try {
    await guard.ready();
    return await runMiddleware(config, {
      ...hooks,
      onListening: (running) => {
        guard.onUnexpectedEnd = (how) =>
          running.log.error(
            `the guard ended (${how}): no second process stops the vehicles if this one fails`,
          );
        hooks.onListening?.(running);
      },
    });
  } finally {
    await guard.end(left);
  }
}
