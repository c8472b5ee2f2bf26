import { describe, expect, it } from 'vitest';

import type { MissPolicy } from '../../../src/core/index.js';
import type { RunConfig } from '../../../src/config/index.js';
import { PerController } from '../../../src/config/options/per-controller.js';
import { parse, parseArguments } from './parse.js';

/** A value without exceptions. */
const forAll = <T extends string | number | bigint>(value: T): PerController<T> =>
  new PerController(value, new Map<number, T>(), value.toString());

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
      waitForStart: true,
      timeSource: 'lab',
      ddsDomain: 0,
      domainNumber: 1,
      networkInterface: 'lo',
      localAddresses: 'loopback',
      initialPeers: [],
      controllerTransport: 'dds',
      labTransport: 'dds',
      controllerNaming: 'dds',
      labNaming: 'dds',
      checkPolicy: 'reject',
      checks: {},
      compat: 'none',
      ignoredArguments: [],
      missPolicy: forAll('stop'),
      missLimit: forAll(3),
      graceNs: forAll(0n),
      holdPeriods: forAll(5),
      brakingDeceleration: 2,
      safety: {
        vehicleTimeoutNs: 1_000_000_000n,
        stopAfterNs: null,
        maxSpeedMps: 5,
        maxMagnitude: 1e7,
        maxAheadNs: 1_000_000_000n,
        maxCommandAgeNs: 'byPeriod',
        clockToleranceNs: 1_000_000n,
        zeroForNs: 1_000_000_000n,
        endTimeoutNs: 4_000_000_000n,
        hangLimitNs: 1_000_000_000n,
        guard: false,
        guardAfterNs: null,
      },
      resume: 'manual',
      overrun: { kind: 'skip' },
      admit: 'listed',
      listAdmitted: true,
      readyTimeoutNs: 0n,
      parameterTimeoutNs: 0n,
      startTimeoutNs: 0n,
      replyTimeoutNs: 0n,
      replyTimeoutPolicy: 'wait',
      controlSocket: `/tmp/hlc-middleware-${process.getuid?.() ?? 0}/middleware.sock`,
      autostart: true,
      interruptExitCode: 130,
      rosIdentity: 'dds',
      controlSocketRequired: false,
      ros: {
        arguments: [],
        node: { namespace: '/', name: 'middleware' },
        topicRemaps: [],
        useSimTime: false,
        startTypeDescription: true,
        parameters: config.ros.parameters,
      },
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
    expect(Object.isFrozen(config.checks)).toBe(true);
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
    ['--overrun-policy=catch-up:3', { overrun: { kind: 'catchUp', limit: 3 } }],
    ['--overrun-policy=halt', { overrun: { kind: 'halt' } }],
    ['--resume=auto', { resume: 'auto' }],
    ['--simulated-time', { resume: 'auto' }],
    ['--compat=cpm-lab', { missPolicy: forAll<MissPolicy>('log') }],
    ['--braking-deceleration=0.5', { brakingDeceleration: 0.5 }],
    ['--admit=any', { admit: 'any', listAdmitted: true }],
    ['--admit=any --active-vehicle-ids=1', { listAdmitted: false }],
    ['--periods=200 --summary=out.json', { periods: 200, summary: 'out.json' }],
    ['--table=off --log-level=silent --log-format=json', { table: 'off', logLevel: 'silent' }],
    ['--simulated-time=false', { simulatedTime: false }],
    ['--simulated_time=False', { simulatedTime: false }],
    ['--simulated-time=F --wait-for-start=0', { simulatedTime: false, waitForStart: false }],
    ['--wait-for-start false', { waitForStart: false }],
    ['--wait_for_start', { waitForStart: true }],
    ['--simulated-time', { simulatedTime: true, timeSource: 'lab' }],
    ['--simulated_time=True', { simulatedTime: true }],
    ['--simulated-time --offset-nanoseconds=50000000', { offsetNs: 50_000_000n }],
    ['--simulated-time --time-source=self', { timeSource: 'self', waitForStart: false }],
    [
      '--simulated-time --time-source=self --real-time-factor=0.5 --steps-until=1000000001',
      { realTimeFactor: 0.5, stepsUntilNs: 1_000_000_001n },
    ],
    [
      '--simulated-time --reply-timeout-ms=1500 --reply-timeout-policy=halt',
      { replyTimeoutNs: 1_500_000_000n, replyTimeoutPolicy: 'halt' },
    ],
    ['--time-source=lab --reply-timeout-ms=0 --reply-timeout-policy=wait', { timeSource: 'lab' }],
    ['--check-policy=flag', { checkPolicy: 'flag', absentVehicles: 'omit' }],
    ['--qos-file=lab.xml', { qosFile: 'lab.xml' }],
    ['--dds-initial-peer=host,1@192.0.2.7', { initialPeers: ['host', '1@192.0.2.7'] }],
    ['--dds_initial_peer=a --dds-initial-peer b', { initialPeers: ['a', 'b'] }],
    ['--transport=ros2', { controllerTransport: 'ros2', labTransport: 'ros2' }],
    ['--transport=ros2 --lab-transport=dds', { controllerTransport: 'ros2', labTransport: 'dds' }],
    ['--transport=dds --lab-transport=dds', { controllerTransport: 'dds', labTransport: 'dds' }],
    ['--naming=ros2', { controllerNaming: 'ros2', labNaming: 'ros2' }],
    ['--naming=ros2 --lab-naming=dds', { controllerNaming: 'ros2', labNaming: 'dds' }],
    ['--controller-naming=ros2', { controllerNaming: 'ros2', labNaming: 'dds' }],
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

describe('without a period', () => {
  it('the period and the active vehicle ids are asked from the lab', () => {
    expect(parse('--vehicle-ids=1,2')).toMatchObject({ periodNs: null, activeVehicleIds: null });
  });

  it('the active vehicle ids are not asked when they are given', () => {
    const config = parse('--vehicle-ids=1,2 --active-vehicle-ids=1,2,3');
    expect(config).toMatchObject({ periodNs: null, activeVehicleIds: [1, 2, 3] });
  });

  it('the offset is not compared yet', () => {
    expect(parse('--offset-nanoseconds=400000000').offsetNs).toBe(400_000_000n);
  });
});

describe('--compat=cpm-lab', () => {
  it('ignores and keeps what it does not know, as the lab passes on parameters of scripts', () => {
    const { ignoredArguments, vehicleIds } = parse(
      '--vehicle_ids=2 --compat=cpm-lab --matlab_folder=x main 17 -r',
    );
    expect(vehicleIds).toEqual([2]);
    expect(ignoredArguments).toEqual(['--matlab_folder=x', 'main', '17', '-r']);
    const environment = { HLC_MIDDLEWARE_COMPAT: 'cpm-lab' };
    expect(parse('stray', { environment }).ignoredArguments).toEqual(['stray']);
  });

  it('still refuses a bad value of a flag that it knows', () => {
    expect(() => parse('--compat=cpm-lab --vehicle_ids=x stray')).toThrow('--vehicle-ids');
  });

  it('forwards first, only flags, and lists absent vehicles', () => {
    const expected = { compat: 'cpm-lab', checkPolicy: 'flag', absentVehicles: 'default' };
    expect(parse('--compat=cpm-lab')).toMatchObject(expected);
    const environment = { HLC_MIDDLEWARE_COMPAT: 'cpm-lab' };
    expect(parse('', { environment })).toMatchObject(expected);
    expect(parse('--config=f', { files: { f: 'compat: cpm-lab' } })).toMatchObject(expected);
    expect(parse('', { presets: { compat: 'cpm-lab' } })).toMatchObject(expected);
  });

  it('does not count where something else is said', () => {
    const surroundings = {
      environment: { HLC_MIDDLEWARE_CHECK_POLICY: 'reject' },
      presets: { absentVehicles: 'omit' },
    };
    const config = parse('--compat=cpm-lab', surroundings);
    expect(config).toMatchObject({ checkPolicy: 'reject', absentVehicles: 'omit' });
  });
});

describe('the presets of a command', () => {
  it('may hold what has an effect in simulated time only', () => {
    const presets = { timeSource: 'self', periodMs: '50' } as const;
    expect(parse('', { presets })).toMatchObject({ simulatedTime: false, timeSource: 'lab' });
    expect(parse('--simulated-time', { presets }).timeSource).toBe('self');
  });
});
