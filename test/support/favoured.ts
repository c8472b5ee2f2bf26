import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const nicenesses = { prepared: 10, waiting: 0, driving: -15, judged: -13 } as const;

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

/** True for the first process of a session, for which Linux may keep a group of its own (sched(7), autogroup). */
function leadsSession(pid: number): boolean {
  try {
    // The name of the program may have blanks and brackets.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) \S /);
    return Number(parent?.split(' ')[2]) === pid;
  } catch {
    return false; // the process has ended
  }
}

/** Between groups of sessions the niceness of their threads does not count, but that of the group. */
function favourSession(pid: number, how: Favour): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nicenesses[how]));
  } catch {
    // It has ended, or this kernel has no such groups.
  }
}

/**
 * Gives a process, its descendants and all their threads more of the processors than other tests get
 * that run at the same time. The process is a group of its own. Without effect for another user than root.
 */
export function favour(pid: number | undefined, how: Favour): void {
  if (!isRoot || pid === undefined) return;
  if (leadsSession(pid)) favourSession(pid, how);
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
