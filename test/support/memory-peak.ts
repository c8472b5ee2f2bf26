import { readFileSync } from 'node:fs';

/** The most memory that a running process had resident so far, bytes (Linux). */
export function memoryPeak(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8');
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kib === undefined) throw new Error('The kernel reports no VmHWM.');
  return Number(kib) * 1024;
}
