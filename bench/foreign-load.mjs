import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * @typedef {object} Ticks of the processor's time
 * @property {number} busy on all cores, by whoever
 * @property {number} own by this process and the children that have ended
 * @property {number} elapsed on one core
 */

/** How much of the processor other programs take while this one measures. */
export class ForeignLoad {
  constructor() {
    this.start = readTicks();
  }

  /**
   * Since the construction; children that still run count as others.
   * @returns {number} share of one core, 0 to the number of cores
   */
  share() {
    const now = readTicks();
    const foreign = now.busy - this.start.busy - (now.own - this.start.own);
    return Math.max(0, foreign) / (now.elapsed - this.start.elapsed);
  }
}

/** @returns {Ticks} of proc(5), /proc/stat and /proc/self/stat */
function readTicks() {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] =
    line.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + irq + softirq + stolen;
  const self = readFileSync('/proc/self/stat', 'utf8');
  // After the name, which may hold anything, come the fields from the third on.
  const fields = self.slice(self.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { busy, own, elapsed: (busy + idle + wait) / os.cpus().length };
}
