import { describe, expect, it } from 'vitest';

import { cpmLabCommandRules, type MissPolicy, policyForAll } from '../../../src/core/index.js';
import type { RunConfig } from '../../../src/config/index.js';
import { PerController } from '../../../src/config/options/per-controller.js';
import { parse, parseArguments } from './parse.js';

/** The network of a side by default. */
const loopback = {
  networkInterface: 'lo',
  localAddresses: 'loopback',
  initialPeers: [],
} as const;

/** A value without exceptions. */
const forAll = <T extends string | number | bigint>(value: T): PerController<T> =>
  new PerController(value, new Map<number, T>(), value.toString());

describe('a command line with nothing but a period', () => {
  const config = parse('--period-ms=50');

  it('gives the documented defaults', () => {
    expect(config).toEqual({
      nodeId: 'middleware',
      compat: 'none',
      autostart: true,
      interruptExitCode: 130,
      ignoredArguments: [],
      session: {
        vehicleIds: [1],
        activeVehicleIds: [1],
        absentVehicles: 'omit',
        admit: 'listed',
        listAdmitted: true,
        periodNs: 50_000_000n,
        offsetNs: 1n,
        periods: null,
        readyTimeoutNs: null,
        startTimeoutNs: null,
        parameterTimeoutNs: 0n,
        endTimeoutNs: 4_000_000_000n,
        time: { mode: 'real', waitForStart: true, overrun: { kind: 'skip' } },
      },
      safety: {
        policies: policyForAll('reject'),
        maxSpeedMps: 5,
        maxMagnitude: 1e7,
        maxAheadNs: 1_000_000_000n,
        maxCommandAgeNs: 'byPeriod',
        clockToleranceNs: 1_000_000n,
        missPolicy: forAll('stop'),
        missLimit: forAll(3),
        graceNs: forAll(0n),
        holdPeriods: forAll(5),
        resume: 'manual',
        vehicleTimeoutNs: 1_000_000_000n,
        stopAfterNs: null,
        brakingMps2: 2,
        zeroForNs: 1_000_000_000n,
        hangLimitNs: 1_000_000_000n,
        guard: false,
        guardAfterNs: null,
      },
      sides: {
        lab: { kind: 'dds', domainId: 0, ...loopback },
        controller: { kind: 'dds', domainId: 1, ...loopback },
        rosIdentity: 'dds',
        ros: {
          arguments: [],
          node: { namespace: '/', name: 'middleware' },
          topicRemaps: [],
          useSimTime: false,
          startTypeDescription: true,
          parameters: config.sides.ros.parameters,
        },
      },
      output: {
        table: 'auto',
        logLevel: 'info',
        logFormat: 'auto',
        controlSocket: {
          path: `/tmp/hlc-middleware-${process.getuid?.() ?? 0}/middleware.sock`,
          isRequired: false,
        },
      },
    } satisfies RunConfig);
  });

  it('gives an object that cannot be changed', () => {
    const { session, safety, sides } = config;
    for (const part of [config, session, session.vehicleIds, safety.policies, sides.lab]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('a value of a flag', () => {
  const accepted: [flags: string, expected: object][] = [
    ['--vehicle-ids=1,2,5', { session: { vehicleIds: [1, 2, 5], activeVehicleIds: [1, 2, 5] } }],
    ['--vehicle-ids 5,0,255', { session: { vehicleIds: [0, 5, 255] } }],
    ['--vehicle_ids=1,2', { session: { vehicleIds: [1, 2] } }],
    ['--vehicle-id=7', { session: { vehicleIds: [7], activeVehicleIds: [7] } }],
    ['--vehicle-amount=3', { session: { vehicleIds: [1, 2, 3] } }],
    ['--vehicle-id=-1 --vehicle-amount -1', { session: { vehicleIds: [1] } }],
    ['--vehicle_id=-1 --vehicle_ids=4', { session: { vehicleIds: [4] } }],
    ['--vehicle-amount=2 --vehicle-ids=2,1', { session: { vehicleIds: [1, 2] } }],
    ['--vehicle-id=3 --vehicle-ids=3', { session: { vehicleIds: [3] } }],
    [
      '--vehicle-ids=1 --active-vehicle-ids=1,9',
      { session: { vehicleIds: [1], activeVehicleIds: [1, 9] } },
    ],
    ['--offset-nanoseconds=0', { session: { offsetNs: 0n } }],
    ['--offset_nanoseconds=49999999', { session: { offsetNs: 49_999_999n } }],
    [
      '--dds-domain=232 --domain-number=0',
      { sides: { lab: { domainId: 232 }, controller: { domainId: 0 } } },
    ],
    [
      '--dds_domain=21 --domain_number=22',
      { sides: { lab: { domainId: 21 }, controller: { domainId: 22 } } },
    ],
    ['--interface=eth0', { sides: { lab: { networkInterface: 'eth0' } } }],
    ['--interface=192.168.1.5', { sides: { lab: { networkInterface: '192.168.1.5' } } }],
    ['--node_id=middleware_1,2', { nodeId: 'middleware_1,2' }],
    ['--node-id=Fahrzeug-Süd', { nodeId: 'Fahrzeug-Süd' }],
    ['--absent-vehicles=default', { session: { absentVehicles: 'default' } }],
    [
      '--overrun-policy=catch-up:3',
      { session: { time: { overrun: { kind: 'catchUp', limit: 3 } } } },
    ],
    ['--overrun-policy=halt', { session: { time: { overrun: { kind: 'halt' } } } }],
    ['--resume=auto', { safety: { resume: 'auto' } }],
    ['--simulated-time', { safety: { resume: 'auto' } }],
    ['--compat=cpm-lab', { safety: { missPolicy: forAll<MissPolicy>('log') } }],
    ['--braking-deceleration=0.5', { safety: { brakingMps2: 0.5 } }],
    ['--admit=any', { session: { admit: 'any', listAdmitted: true } }],
    ['--admit=any --active-vehicle-ids=1', { session: { listAdmitted: false } }],
    [
      '--periods=200 --summary=out.json',
      { session: { periods: 200 }, output: { summary: 'out.json' } },
    ],
    [
      '--table=off --log-level=silent --log-format=json',
      { output: { table: 'off', logLevel: 'silent' } },
    ],
    ['--simulated-time=false', { session: { time: { mode: 'real' } } }],
    ['--simulated_time=False', { session: { time: { mode: 'real' } } }],
    [
      '--simulated-time=F --wait-for-start=0',
      { session: { time: { mode: 'real', waitForStart: false } } },
    ],
    ['--wait-for-start false', { session: { time: { waitForStart: false } } }],
    ['--wait_for_start', { session: { time: { waitForStart: true } } }],
    ['--simulated-time', { session: { time: { mode: 'simulated', timeSource: { kind: 'lab' } } } }],
    ['--simulated_time=True', { session: { time: { mode: 'simulated' } } }],
    ['--simulated-time --offset-nanoseconds=50000000', { session: { offsetNs: 50_000_000n } }],
    [
      '--simulated-time --time-source=self',
      { session: { time: { mode: 'simulated', timeSource: { kind: 'self' } } } },
    ],
    [
      '--simulated-time --time-source=self --real-time-factor=0.5 --steps-until=1000000001',
      { session: { time: { timeSource: { realTimeFactor: 0.5, untilNs: 1_000_000_001n } } } },
    ],
    [
      '--simulated-time --reply-timeout-ms=1500 --reply-timeout-policy=halt',
      { session: { time: { replyTimeout: { afterNs: 1_500_000_000n, policy: 'halt' } } } },
    ],
    [
      '--time-source=lab --reply-timeout-ms=0 --reply-timeout-policy=wait',
      { session: { time: { mode: 'real' } } },
    ],
    [
      '--check-policy=flag',
      { safety: { policies: { tooFast: 'flag' } }, session: { absentVehicles: 'omit' } },
    ],
    ['--qos-file=lab.xml', { sides: { qosFile: 'lab.xml' } }],
    [
      '--dds-initial-peer=host,1@192.0.2.7',
      { sides: { lab: { initialPeers: ['host', '1@192.0.2.7'] } } },
    ],
    ['--dds_initial_peer=a --dds-initial-peer b', { sides: { lab: { initialPeers: ['a', 'b'] } } }],
    ['--compat=none --admit=listed', { compat: 'none', session: { admit: 'listed' } }],
    ['--dds_initial_peer=', { sides: { lab: { initialPeers: [] } } }],
    ['--logging_id=anything', { nodeId: 'middleware' }],
    ['--periods=5 --periods=5', { session: { periods: 5 } }],
  ];

  it.each(accepted)('%s is accepted', (flags, expected) => {
    expect(parse(`--period-ms=50 ${flags}`)).toMatchObject(expected);
  });

  it('may hold blanks, equals signs and dashes', () => {
    const argv = ['--period-ms', '50', '--node-id', 'a = b', '--summary=--odd=name.json'];
    expect(parseArguments(argv)).toMatchObject({
      nodeId: 'a = b',
      output: { summary: '--odd=name.json' },
    });
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
    expect(parse(flag).session.periodNs).toBe(periodNs);
  });
});

describe('without a period', () => {
  it('the period and the active vehicle ids are asked from the lab', () => {
    expect(parse('--vehicle-ids=1,2')).toMatchObject({
      session: { periodNs: null, activeVehicleIds: null },
    });
  });

  it('the active vehicle ids are not asked when they are given', () => {
    const config = parse('--vehicle-ids=1,2 --active-vehicle-ids=1,2,3');
    expect(config).toMatchObject({ session: { periodNs: null, activeVehicleIds: [1, 2, 3] } });
  });

  it('the offset is not compared yet', () => {
    expect(parse('--offset-nanoseconds=400000000').session.offsetNs).toBe(400_000_000n);
  });
});

describe('--compat=cpm-lab', () => {
  it('ignores and keeps what it does not know, as the lab passes on parameters of scripts', () => {
    const { ignoredArguments, session } = parse(
      '--vehicle_ids=2 --compat=cpm-lab --matlab_folder=x main 17 -r',
    );
    expect(session.vehicleIds).toEqual([2]);
    expect(ignoredArguments).toEqual(['--matlab_folder=x', 'main', '17', '-r']);
    const environment = { HLC_MIDDLEWARE_COMPAT: 'cpm-lab' };
    expect(parse('stray', { environment }).ignoredArguments).toEqual(['stray']);
  });

  it('still refuses a bad value of a flag that it knows', () => {
    expect(() => parse('--compat=cpm-lab --vehicle_ids=x stray')).toThrow('--vehicle-ids');
  });

  it('forwards first, only flags, and lists absent vehicles', () => {
    const expected = {
      compat: 'cpm-lab',
      safety: { policies: cpmLabCommandRules.policies },
      session: { absentVehicles: 'default' },
    };
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
    expect(config).toMatchObject({
      safety: { policies: { tooFast: 'reject' } },
      session: { absentVehicles: 'omit' },
    });
  });
});

describe('the presets of a command', () => {
  it('may hold what has an effect in simulated time only', () => {
    const presets = { timeSource: 'self', periodMs: '50' } as const;
    expect(parse('', { presets })).toMatchObject({
      session: { time: { mode: 'real' } },
    });
    expect(parse('--simulated-time', { presets })).toMatchObject({
      session: { time: { timeSource: { kind: 'self' } } },
    });
  });
});
