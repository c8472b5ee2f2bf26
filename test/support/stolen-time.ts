import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The hypervisor may give this part of the processors to others. */
const mostStolen = 0.1;
const lookMs = 200;
const longestMs = 60_000;

/** Ticks of all processors since the start of the machine (proc(5), /proc/stat). */
function ticks(): { readonly all: number; readonly stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: fields.reduce((sum, field) => sum + field, 0), stolen: fields[7] ?? 0 };
}

/**
 * Settles when the hypervisor leaves this machine most of its processors, or after a minute: a virtual one
 * can lose half of them to others for as long.
 */
export async function untilLittleIsStolen(): Promise<void> {
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += lookMs) {
    const before = ticks();
    await wait(lookMs);
    const after = ticks();
    if (after.stolen - before.stolen <= mostStolen * (after.all - before.all)) return;
  }
}
