import { spawnSync } from 'node:child_process';

/** Why `promtool` cannot be run here; undefined when it can. */
export const noPromtool =
  spawnSync('promtool', ['--version']).status === 0
    ? undefined
    : 'promtool is not installed: apt-get install prometheus';

/** Runs the checks of Prometheus. */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, text: `${stdout}${stderr}` };
}
