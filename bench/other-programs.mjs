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
  constructor() {
    this.start = readTicks();
  }

  /**
   * Since the construction; children that still run count as other programs.
   * @returns {number} share of one core, 0 to the number of cores
   */
  share() {
    const now = readTicks();
    const others = now.busy - this.start.busy - (now.own - this.start.own);
    return Math.max(0, others) / (now.elapsed - this.start.elapsed);
  }
}

/** @returns {Ticks} of proc(5), /proc/stat and /proc/self/stat */
function readTicks() {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] =
    line.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + irq + softirq + stolen;
  const self = readFileSync('/proc/self/stat', 'utf8');
  // The second field, the name, may contain any character; the third field follows its bracket.
  const fields = self.slice(self.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { busy, own, elapsed: (busy + idle + wait) / os.cpus().length };
}
