import { describe, expect, it } from 'vitest';
import { machineChecks } from '../../../src/doctor/machine-checks.js';
import {
  readInterface,
  readMachine,
  type MachineFacts,
} from '../../../src/doctor/machine-facts.js';
import { interfaceCheck, portCheck } from '../../../src/doctor/network-checks.js';

const files: Record<string, string> = {
  '/proc/self/limits': [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max open files            1024                 524288               files     ',
    'Max locked memory         8388608              8388608              bytes     ',
    'Max realtime priority     0                    0                    ',
  ].join('\n'),
  '/proc/self/status': 'Name:\tnode\nCapEff:\t0000000000800000\n',
  '/proc/self/maps': '7f00-7f01 r-xp 00000000 fe:01 12 /usr/lib/libddsc.so.0.10.2\n',
  '/proc/sys/net/core/rmem_max': '212992\n',
  '/proc/sys/net/ipv4/ip_local_port_range': '32768\t60999\n',
  '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  '/sys/class/ptp/ptp0/clock_name': 'KVM virtual PTP\n',
};

const read = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error('no such file');
  return text;
};

const good: MachineFacts = {
  cpus: 4,
  ddsLibrary: '/usr/lib/libddsc.so.0.10.2',
  clockSource: 'tsc',
  ptpClocks: [],
  limits: { realtimePriority: 99, lockedBytes: Infinity, openFiles: 65536 },
  mayRaisePriority: false,
  receiveBufferBytes: 8 * 1024 * 1024,
  ephemeralPorts: [32768, 60999],
};
const kept = { synchronised: true, maxErrorNs: 1_500_000n };

/** The checks that are not in order, with their names. */
const notes = (facts: Partial<MachineFacts>, clock = kept): string[] =>
  machineChecks({ ...good, ...facts }, clock).flatMap(({ name, state }) =>
    state === 'ok' ? [] : [`${state} ${name}`],
  );

describe('the facts of a machine', () => {
  it('is read from the files of the kernel', () => {
    expect(readMachine(read)).toMatchObject({
      ddsLibrary: '/usr/lib/libddsc.so.0.10.2',
      clockSource: 'tsc',
      ptpClocks: ['KVM virtual PTP'],
      limits: { realtimePriority: 0, lockedBytes: 8388608, openFiles: 1024 },
      mayRaisePriority: true,
      receiveBufferBytes: 212992,
      ephemeralPorts: [32768, 60999],
    });
  });

  it('may be nothing at all', () => {
    const silent = readMachine(() => {
      throw new Error('no such file');
    });
    expect(silent).toMatchObject({
      clockSource: undefined,
      ptpClocks: [],
      mayRaisePriority: false,
    });
    const states = machineChecks({ ...silent, cpus: 2 }, undefined).map(({ state }) => state);
    expect(states).not.toContain('problem');
  });

  it('has an interface by its flags, by name and by address', () => {
    const loopback = readInterface('127.0.0.1', () => '0x9\n');
    expect(loopback).toMatchObject({ name: 'lo', up: true, loopback: true, multicast: false });
    expect(readInterface('lo', () => '0x1002')).toMatchObject({ up: false, multicast: true });
    expect(readInterface('nosuch0', read)).toBeUndefined();
  });
});

describe('the checks of the machine', () => {
  it('have nothing to say of a good one', () => {
    expect(notes({})).toEqual([]);
  });

  it.each<[string, Partial<MachineFacts>]>([
    ['CPUs', { cpus: 1 }],
    ['clock source', { clockSource: 'hpet' }],
    ['real-time priority', { limits: { ...good.limits, realtimePriority: 0 } }],
    ['locked memory', { limits: { ...good.limits, lockedBytes: 65536 } }],
    ['open files', { limits: { ...good.limits, openFiles: 100 } }],
    ['socket buffers (net.core.rmem_max)', { receiveBufferBytes: 212992 }],
  ])('advise on %s', (name, facts) => {
    expect(notes(facts)).toEqual([`advice ${name}`]);
  });

  it('advise on a wall clock that is not synchronized, or not well', () => {
    expect(notes({}, { synchronised: false, maxErrorNs: 16_000_000_000n })).toEqual([
      'advice wall clock',
    ]);
    expect(notes({}, { synchronised: true, maxErrorNs: 10_000_001n })).toEqual([
      'advice wall clock',
    ]);
  });
});

describe('the checks of the network', () => {
  const network = { domainId: 0, networkInterface: 'eth7', initialPeers: [] };
  const facts = {
    name: 'eth7',
    addresses: ['192.0.2.1'],
    up: true,
    loopback: false,
    multicast: true,
  };

  it('accept an interface that is up', () => {
    expect(interfaceCheck('lab', network, facts, undefined)).toEqual({
      name: 'interface of the lab side',
      state: 'ok',
      found: 'eth7 (192.0.2.1), up; multicast: as Cyclone DDS has it by default',
    });
    const lo = { ...network, networkInterface: 'lo' };
    expect(interfaceCheck('lab', lo, facts, '<x/>').found).toMatch(
      /multicast: off; CYCLONEDDS_URI is set/,
    );
  });

  it('refuse one that is missing, down or without an address', () => {
    for (const wrong of [undefined, { ...facts, up: false }, { ...facts, addresses: [] }]) {
      expect(interfaceCheck('lab', network, wrong, undefined).state).toBe('problem');
    }
  });

  it('count the participant numbers that are taken', () => {
    const inUse = [{ domainId: 1, participantIndexes: [0, 1, 5] }];
    expect(portCheck('controller', 1, inUse, good)).toEqual({
      name: 'ports of the controller side',
      state: 'ok',
      found: 'UDP 7660 to 7899 for DDS domain 1; 3 of 120 participant numbers taken',
    });
    const all = Array.from({ length: 120 }, (_, index) => index);
    const full = [{ domainId: 1, participantIndexes: all }];
    expect(portCheck('controller', 1, full, good).state).toBe('problem');
  });

  it('advise against domains whose ports are given out by chance', () => {
    expect(portCheck('lab', 100, [], good).state).toBe('ok');
    expect(portCheck('lab', 102, [], good).state).toBe('advice');
  });
});
