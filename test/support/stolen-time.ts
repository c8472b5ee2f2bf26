import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The hypervisor may give this part of the processors to others. */
const mostStolen = 0.1;
const lookMs = 200;

/** So long do the tests of one file wait at most, ms: a row has up to twelve labs, and a limit of its own. */
let leftMs = 60_000;

/** Ticks of all processors since the start of the machine (proc(5), /proc/stat). */
function ticks(): { readonly all: number; readonly stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: fields.reduce((sum, field) => sum + field, 0), stolen: fields[7] ?? 0 };
}

/** The part of the processors that the hypervisor gave to others between two looks. */
let stolenPart = 0;
let before = ticks();
setInterval(() => {
  const now = ticks();
  stolenPart = (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  before = now;
}, lookMs).unref();

/**
 * Settles when the hypervisor leaves this machine most of its processors: a virtual one can lose half of them
 * to others for a minute. Later calls in the same test file wait no longer than is left of that minute.
 */
export async function untilLittleIsStolen(): Promise<void> {
  for (; leftMs > 0 && stolenPart > mostStolen; leftMs -= lookMs) await wait(lookMs);
}
