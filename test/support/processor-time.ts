import { readFileSync } from 'node:fs';

/** Clock ticks per second of proc(5): the same on all machines with Linux. */
const ticksPerS = 100;
/** Places of utime and stime after the name of the program. */
const userTime = 11;
const systemTime = 12;

/** Processor time of a process with all of its threads since its start, s. */
export function processorS(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid ?? 'self'}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userTime]) + Number(fields[systemTime])) / ticksPerS;
}
