import { describe, expect, it } from 'vitest';

import type { RunConfig } from '../../../src/config/index.js';
import { parse, parseArguments } from './parse.js';

describe('a command line with nothing but a period', () => {
  const config = parse('--period-ms=50');

  it('gives the documented defaults', () => {
    expect(config).toEqual({
      nodeId: 'middleware',
      vehicleIds: [1],
      activeVehicleIds: [1],
      absentVehicles: 'omit',
      periodNs: 50_000_000n,
      offsetNs: 1n,
      simulatedTime: false,
      waitForStart: false,
      timeSource: 'lab',
      ddsDomain: 0,
      domainNumber: 1,
      networkInterface: 'lo',
      initialPeers: [],
      controllerTransport: 'dds',
      labTransport: 'dds',
      checkPolicy: 'reject',
      compat: 'none',
      admit: 'listed',
      readyTimeoutNs: 0n,
      replyTimeoutNs: 0n,
      replyTimeoutPolicy: 'wait',
      table: 'auto',
      logLevel: 'info',
      logFormat: 'auto',
    } satisfies RunConfig);
  });

  it('gives an object that nobody can change', () => {
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.vehicleIds)).toBe(true);
    expect(Object.isFrozen(config.activeVehicleIds)).toBe(true);
    expect(Object.isFrozen(config.initialPeers)).toBe(true);
  });
});

describe('a value of a flag', () => {
  const accepted: [flags: string, expected: Partial<RunConfig>][] = [
    ['--vehicle-ids=1,2,5', { vehicleIds: [1, 2, 5], activeVehicleIds: [1, 2, 5] }],
    ['--vehicle-ids 5,0,255', { vehicleIds: [0, 5, 255] }],
    ['--vehicle_ids=1,2', { vehicleIds: [1, 2] }],
    ['--vehicle-id=7', { vehicleIds: [7], activeVehicleIds: [7] }],
    ['--vehicle-amount=3', { vehicleIds: [1, 2, 3] }],
    ['--vehicle-id=-1 --vehicle-amount -1', { vehicleIds: [1] }],
    ['--vehicle_id=-1 --vehicle_ids=4', { vehicleIds: [4] }],
    ['--vehicle-amount=2 --vehicle-ids=2,1', { vehicleIds: [1, 2] }],
    ['--vehicle-id=3 --vehicle-ids=3', { vehicleIds: [3] }],
    ['--vehicle-ids=1 --active-vehicle-ids=1,9', { vehicleIds: [1], activeVehicleIds: [1, 9] }],
    ['--offset-nanoseconds=0', { offsetNs: 0n }],
    ['--offset_nanoseconds=49999999', { offsetNs: 49_999_999n }],
    ['--dds-domain=232 --domain-number=0', { ddsDomain: 232, domainNumber: 0 }],
    ['--dds_domain=21 --domain_number=22', { ddsDomain: 21, domainNumber: 22 }],
    ['--interface=eth0', { networkInterface: 'eth0' }],
    ['--interface=192.168.1.5', { networkInterface: '192.168.1.5' }],
    ['--node_id=middleware_1,2', { nodeId: 'middleware_1,2' }],
    ['--node-id=Fahrzeug-Süd', { nodeId: 'Fahrzeug-Süd' }],
    ['--absent-vehicles=default', { absentVehicles: 'default' }],
    ['--periods=200 --summary=out.json', { periods: 200, summary: 'out.json' }],
    ['--table=off --log-level=silent --log-format=json', { table: 'off', logLevel: 'silent' }],
    ['--simulated-time=false', { simulatedTime: false }],
    ['--simulated_time=False', { simulatedTime: false }],
    ['--simulated-time=F --wait-for-start=0', { simulatedTime: false, waitForStart: false }],
    ['--wait-for-start false', { waitForStart: false }],
    ['--transport=dds --lab-transport=dds', { controllerTransport: 'dds', labTransport: 'dds' }],
    ['--compat=none --admit=listed', { compat: 'none', admit: 'listed' }],
    ['--dds_initial_peer=', { initialPeers: [] }],
    ['--logging_id=anything', { nodeId: 'middleware' }],
    ['--periods=5 --periods=5', { periods: 5 }],
  ];

  it.each(accepted)('%s is accepted', (flags, expected) => {
    expect(parse(`--period-ms=50 ${flags}`)).toMatchObject(expected);
  });

  it('may hold blanks, equals signs and dashes', () => {
    const argv = ['--period-ms', '50', '--node-id', 'a = b', '--summary=--odd=name.json'];
    expect(parseArguments(argv)).toMatchObject({ nodeId: 'a = b', summary: '--odd=name.json' });
  });
});

describe('the period', () => {
  it.each([
    ['--period-ms=50', 50_000_000n],
    ['--period-ms=0.5', 500_000n],
    ['--period-ms=0.1', 100_000n],
    ['--period_ms=16.666667', 16_666_667n],
    ['--period-ms=86400000', 86_400_000_000_000n],
    ['--period-nanoseconds=16666667', 16_666_667n],
  ])('%s is exact in nanoseconds', (flag, periodNs) => {
    expect(parse(flag).periodNs).toBe(periodNs);
  });
});

describe('a start script of the CPM Lab', () => {
  it('works unchanged but for the period', () => {
    const script =
      '--node_id=middleware --simulated_time=false --vehicle_ids=1,2,3 --dds_domain=5 --dds_initial_peer=';
    expect(parse(`${script} --period_ms=400`)).toMatchObject({
      nodeId: 'middleware',
      simulatedTime: false,
      vehicleIds: [1, 2, 3],
      ddsDomain: 5,
      domainNumber: 1,
      periodNs: 400_000_000n,
    });
  });
});
