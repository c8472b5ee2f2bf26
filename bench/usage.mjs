import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * What the kernel says of a process.
 * @typedef {object} Usage
 * @property {number} atNs when it was asked, on the monotonic clock
 * @property {ReadonlyMap<string, Thread>} threads by their ids
 * @property {number} residentMb memory that is resident, 10^6 bytes
 * @property {number} peakResidentMb the most of it at a time, 10^6 bytes
 */

/**
 * What a thread took since its start: proc(5), /proc/<pid>/schedstat.
 * @typedef {object} Thread
 * @property {string} name
 * @property {number} cpuNs
 * @property {number} waitedNs ready to run, and without a core
 */

/** The monotonic clock, which programs in C read, too, ns. */
export function steadyNs() {
  return Number(process.hrtime.bigint());
}

/**
 * @param {number} pid
 * @returns {Usage | undefined} nothing when it is gone
 */
export function readUsage(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const residentMb = megabytes(status, 'VmRSS');
    const peakResidentMb = megabytes(status, 'VmHWM');
    // A process that has ended, and was not waited for yet, has no memory any more.
    if (residentMb === undefined || peakResidentMb === undefined) return undefined;
    return { atNs: steadyNs(), threads: readThreads(pid), residentMb, peakResidentMb };
  } catch {
    return undefined;
  }
}

/**
 * Processor time between two looks at a process, of the threads that live at both, ns.
 * @param {Usage} from
 * @param {Usage} to
 */
export function cpuNsBetween(from, to) {
  return threadsBetween(from, to).reduce((sum, { cpuNs }) => sum + cpuNs, 0);
}

/**
 * What each thread took between two looks at a process.
 * @param {Usage} from
 * @param {Usage} to
 * @returns {(Thread & { id: string })[]}
 */
export function threadsBetween(from, to) {
  return [...to.threads].flatMap(([id, { name, cpuNs, waitedNs }]) => {
    const before = from.threads.get(id);
    if (before === undefined) return [];
    return [{ id, name, cpuNs: cpuNs - before.cpuNs, waitedNs: waitedNs - before.waitedNs }];
  });
}

/** @param {number} pid */
function readThreads(pid) {
  /** @type {Map<string, Thread>} */
  const threads = new Map();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${id}`;
    const [cpuNs = NaN, waitedNs = NaN] = readFileSync(`${folder}/schedstat`, 'utf8')
      .split(' ')
      .map(Number);
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    threads.set(id, { name, cpuNs, waitedNs });
  }
  return threads;
}

/**
 * @param {string} status of proc(5), /proc/<pid>/status
 * @param {string} field
 */
function megabytes(status, field) {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}
