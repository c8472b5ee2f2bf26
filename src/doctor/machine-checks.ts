import { toMs } from '../core/index.js';
import type { ClockState } from '../dds/index.js';
import type { MachineFacts } from './machine-facts.js';
import type { Check } from './report.js';

/** Below this a burst of large samples can be lost on the way to a busy process; 2 MiB. */
const enoughBufferBytes = 2 * 1024 * 1024;
/** A middleware with the sockets of two domains, its log and its control socket needs far less. */
const enoughFiles = 256;
/** Both sides, their buffers and Node itself stay below it; 256 MiB. */
const enoughLockedBytes = 256 * 1024 * 1024;
/** A controller on another machine whose clock is further off has its commands refused. */
const longestClockErrorNs = 10_000_000n;

/** What the machine has and lacks for a middleware. */
export function machineChecks(facts: MachineFacts, clock: ClockState | undefined): Check[] {
  return [
    check(
      'CPUs',
      `${facts.cpus}`,
      facts.cpus >= 2,
      'give the machine a second one: the middleware and its controllers take turns on one',
    ),
    clockSource(facts.clockSource),
    ...(clock === undefined ? [] : [discipline(clock, facts.ptpClocks)]),
    realtime(facts),
    limit(
      'locked memory',
      facts.limits.lockedBytes,
      enoughLockedBytes,
      bytes,
      'raise it with "ulimit -l" or LimitMEMLOCK=, so that memory can be kept from being swapped out',
    ),
    limit(
      'open files',
      facts.limits.openFiles,
      enoughFiles,
      String,
      'raise it with "ulimit -n" or LimitNOFILE=',
    ),
    limit(
      'socket buffers (net.core.rmem_max)',
      facts.receiveBufferBytes,
      enoughBufferBytes,
      bytes,
      `raise it with "sysctl -w net.core.rmem_max=${enoughBufferBytes}", so that bursts are not lost`,
    ),
  ];
}

function check(name: string, found: string, good: boolean, advice: string): Check {
  return good ? { name, state: 'ok', found } : { name, state: 'advice', found, advice };
}

function limit(
  name: string,
  value: number | undefined,
  enough: number,
  inWords: (value: number) => string,
  advice: string,
): Check {
  if (value === undefined) return { name, state: 'ok', found: 'unknown' };
  return check(name, value === Infinity ? 'unlimited' : inWords(value), value >= enough, advice);
}

function clockSource(source: string | undefined): Check {
  const slow = source === 'hpet' || source === 'acpi_pm' || source === 'jiffies';
  const advice =
    'choose tsc or the clock of the virtual machine: reading this one takes microseconds';
  return check('clock source', source ?? 'unknown', !slow, advice);
}

function discipline({ synchronised, maxErrorNs }: ClockState, ptp: readonly string[]): Check {
  const hardware = ptp.length === 0 ? '' : `; PTP hardware clocks: ${ptp.join(', ')}`;
  const found = synchronised
    ? `kept to a reference, off by at most ${toMs(maxErrorNs)} ms${hardware}`
    : `kept to no reference (NTP, PTP)${hardware}`;
  const advice =
    'when vehicles or controllers are on other machines, run chronyd or ptp4l with phc2sys on all of them: commands are judged by their time stamps';
  return check('wall clock', found, synchronised && maxErrorNs <= longestClockErrorNs, advice);
}

function realtime({ limits: { realtimePriority }, mayRaisePriority }: MachineFacts): Check {
  const granted = mayRaisePriority || (realtimePriority ?? 0) > 0;
  const found = mayRaisePriority
    ? 'granted (CAP_SYS_NICE)'
    : granted
      ? `granted up to priority ${realtimePriority ?? 0}`
      : 'not granted';
  const advice =
    'grant it with "ulimit -r", LimitRTPRIO= or CAP_SYS_NICE, so that start signals are on time on a busy machine';
  return check('real-time priority', found, granted, advice);
}

function bytes(value: number): string {
  return value < 1024 * 1024
    ? `${Math.floor(value / 1024)} KiB`
    : `${Math.floor(value / 1024 / 1024)} MiB`;
}
