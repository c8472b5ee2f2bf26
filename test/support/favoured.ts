import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Only root may raise a priority. */
const isRoot = process.getuid?.() === 0;

/**
 * What starts a program that leaves the processors to others until it is favoured: a command and its first
 * arguments. Empty for a user who could not favour it.
 */
export const patiently: readonly string[] = isRoot ? ['nice', '-n', '10'] : [];

/**
 * How much of the processors the programs of a lab get on a busy machine, as their niceness. A lab that
 * drives would stop before its fault without them; one that is judged must stop in its budget. One that waits
 * for its turn needs few, but a control loop without any for 1 s counts as hung.
 */
const nicenesses = { waiting: 0, driving: -15, judged: -13 } as const;

export type Favour = keyof typeof nicenesses;

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number);
  } catch {
    return []; // the process has ended
  }
}

function childrenOf(thread: string): number[] {
  try {
    return readFileSync(`${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Gives a process, its descendants and all their threads more of the processors than other tests get
 * that run at the same time. Without effect for another user than root.
 */
export function favour(pid: number, how: Favour): void {
  if (!isRoot) return;
  const tasks = `/proc/${pid}/task`;
  for (const thread of numbersIn(tasks)) {
    try {
      setPriority(thread, nicenesses[how]);
    } catch {
      // It has ended.
    }
    for (const child of childrenOf(`${tasks}/${thread}`)) favour(child, how);
  }
}
