import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process ids of the running programs of a lab: its tag is in the environment of each.
 * @param uri that of `isolatedCycloneUri`
 */
export function programsOf(uri: string): number[] {
  const tag = /<Tag>(.+)<\/Tag>/.exec(uri)?.[1] ?? uri;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(tag)).map(Number);
}

/** Nothing of a process that has ended. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
