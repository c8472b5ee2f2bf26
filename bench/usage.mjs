import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The kernel's counts for a process.
 * @typedef {object} Usage
 * @property {number} atNs time of the sample, on the monotonic clock
 * @property {ReadonlyMap<string, Thread>} threads by id
 * @property {number} residentMb resident memory, 10^6 bytes
 * @property {number} peakResidentMb peak of the resident memory, 10^6 bytes
 */

/**
 * Processor time of a thread since its start: proc(5), /proc/<pid>/schedstat.
 * @typedef {object} Thread
 * @property {string} name
 * @property {number} cpuNs
 * @property {number} waitedNs time ready to run, without a core
 */

/** The monotonic clock, ns; the programs in C use the same one. */
export function steadyNs() {
  return Number(process.hrtime.bigint());
}

/**
 * @param {number} pid
 * @returns {Usage | undefined} undefined when the process has ended
 */
export function readUsage(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const residentMb = megabytes(status, 'VmRSS');
    const peakResidentMb = megabytes(status, 'VmHWM');
    // A zombie process has no memory.
    if (residentMb === undefined || peakResidentMb === undefined) return undefined;
    return { atNs: steadyNs(), threads: readThreads(pid), residentMb, peakResidentMb };
  } catch {
    return undefined;
  }
}

/**
 * Processor time of a process between two samples, over the threads that exist in both, ns.
 * @param {Usage} from
 * @param {Usage} to
 */
export function cpuNsBetween(from, to) {
  return threadsBetween(from, to).reduce((sum, { cpuNs }) => sum + cpuNs, 0);
}

/**
 * Processor time of each thread between two samples.
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
