import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * @typedef {object} Ticks clock ticks of the processor
 * @property {number} busy time of all cores, all programs
 * @property {number} own time of this process and of its ended children
 * @property {number} elapsed time, per core
 */

/** Processor time of other programs during a measurement. */
export class OtherPrograms {
  /** @param {() => readonly number[]} [children] ids of children that run; they are no other programs */
  constructor(children = () => []) {
    this.children = children;
    this.start = readTicks(children());
  }

  /**
   * Since the construction; children that run and were not named count as other programs.
   * @returns {number} share of one core, 0 to the number of cores
   */
  share() {
    const now = readTicks(this.children());
    const others = now.busy - this.start.busy - (now.own - this.start.own);
    return Math.max(0, others) / (now.elapsed - this.start.elapsed);
  }
}

/** @param {readonly number[]} children @returns {Ticks} of proc(5), /proc/stat and /proc/<pid>/stat */
function readTicks(children) {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] =
    line.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + irq + softirq + stolen;
  // The last two are those of ended children.
  const own = sum(timesOf('self')) + sum(children.map((pid) => sum(timesOf(pid).slice(0, 2))));
  return { busy, own, elapsed: (busy + idle + wait) / os.cpus().length };
}

/** @param {number | 'self'} pid @returns {number[]} utime, stime, cutime, cstime; none of an ended process */
function timesOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return [];
  }
  // The second field, the name, may contain any character; the third field follows its bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
