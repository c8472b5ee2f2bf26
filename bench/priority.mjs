import { spawnSync } from 'node:child_process';
import { priorityTrialCommand } from './commands.mjs';

/** @import { Load } from './load.mjs' */

/**
 * Whether this user may run a load. Limits, capabilities and the control group of a container all
 * count, so the function tries it.
 * @param {Load} load
 * @returns {string | undefined} the reason when it is refused
 */
export function refusal({ priority }) {
  if (priority === undefined) return undefined;
  const [file = '', ...args] = priorityTrialCommand(priority);
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  return `real-time priority is not granted (${stderr.trim()}); docs/guide/real-time.md says how to grant it`;
}
