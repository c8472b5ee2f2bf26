import { readFileSync } from 'node:fs';
import { availableParallelism, networkInterfaces } from 'node:os';

/** Reads a file of the machine; a throw means that it is not available. */
export type ReadFile = (path: string) => string;

/** The facts of a machine that need no further programs. Undefined: unknown. */
export interface MachineFacts {
  readonly cpus: number;
  /** Path of the DDS library that this process has loaded. */
  readonly ddsLibrary: string | undefined;
  readonly clockSource: string | undefined;
  /** Names of the hardware clocks that PTP could use. */
  readonly ptpClocks: readonly string[];
  /** Soft limits of this process; Infinity: none. */
  readonly limits: {
    readonly realtimePriority: number | undefined;
    readonly lockedBytes: number | undefined;
    readonly openFiles: number | undefined;
  };
  readonly mayRaisePriority: boolean;
  /** `net.core.rmem_max`, bytes. */
  readonly receiveBufferBytes: number | undefined;
  /** First and last port that programs get by chance. */
  readonly ephemeralPorts: readonly [number, number] | undefined;
}

/** A network interface. */
export interface InterfaceFacts {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly up: boolean;
  readonly loopback: boolean;
  readonly multicast: boolean;
}

const readText: ReadFile = (path) => readFileSync(path, 'utf8');
const mostPtpClocks = 8;
/** Bit of CAP_SYS_NICE (man 7 capabilities). */
const sysNice = 23n;

export function readMachine(readFile: ReadFile = readText): MachineFacts {
  const read = (path: string): string | undefined => {
    try {
      return readFile(path).trim();
    } catch {
      return undefined;
    }
  };
  const limits = read('/proc/self/limits') ?? '';
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(read('/proc/self/status') ?? '')?.[1];
  const range = /^(\d+)\s+(\d+)$/.exec(read('/proc/sys/net/ipv4/ip_local_port_range') ?? '');
  const buffer = read('/proc/sys/net/core/rmem_max');
  return {
    cpus: availableParallelism(),
    ddsLibrary: /\S*\/libddsc\.so\S*/.exec(read('/proc/self/maps') ?? '')?.[0],
    clockSource: read('/sys/devices/system/clocksource/clocksource0/current_clocksource'),
    ptpClocks: Array.from({ length: mostPtpClocks }, (_, i) =>
      read(`/sys/class/ptp/ptp${i}/clock_name`),
    ).filter((name) => name !== undefined),
    limits: {
      realtimePriority: limitOf(limits, 'Max realtime priority'),
      lockedBytes: limitOf(limits, 'Max locked memory'),
      openFiles: limitOf(limits, 'Max open files'),
    },
    mayRaisePriority:
      capabilities !== undefined && ((BigInt(`0x${capabilities}`) >> sysNice) & 1n) === 1n,
    receiveBufferBytes: buffer === undefined ? undefined : Number(buffer),
    ephemeralPorts: range === null ? undefined : [Number(range[1]), Number(range[2])],
  };
}

/** The soft limit in /proc/self/limits. */
function limitOf(text: string, name: string): number | undefined {
  const line = text.split('\n').find((row) => row.startsWith(name));
  const soft = line?.slice(name.length).trim().split(/\s+/)[0];
  if (soft === undefined) return undefined;
  return soft === 'unlimited' ? Infinity : Number(soft);
}

/** The interface of this name or address; undefined when there is none. */
export function readInterface(
  nameOrAddress: string,
  readFile: ReadFile = readText,
): InterfaceFacts | undefined {
  const all = Object.entries(networkInterfaces());
  const found = all.find(([, of]) => of?.some(({ address }) => address === nameOrAddress));
  const name = found?.[0] ?? nameOrAddress;
  let flags: number;
  try {
    flags = Number(readFile(`/sys/class/net/${name}/flags`));
  } catch {
    return undefined;
  }
  const addresses = all.find(([other]) => other === name)?.[1]?.map(({ address }) => address) ?? [];
  // IFF_UP, IFF_LOOPBACK, IFF_MULTICAST (man 7 netdevice).
  return {
    name,
    addresses,
    up: (flags & 0x1) !== 0,
    loopback: (flags & 0x8) !== 0,
    multicast: (flags & 0x1000) !== 0,
  };
}
