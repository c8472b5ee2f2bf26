import { describe, expect, it } from 'vitest';
import {
  chooseProfile,
  defaultQosFile,
  findProfile,
  loadQosFile,
  loadShippedQos,
  type QosProfile,
} from '../../../../src/dds/qos/index.js';
import { pathOf } from './fixtures.js';

const commands = [
  'vehicleCommandTrajectory',
  'vehicleCommandPathTracking',
  'vehicleCommandSpeedCurvature',
  'vehicleCommandDirect',
];
const topics = [
  ...commands,
  'commonroad_dds_goal_states',
  'hlc_hello',
  'hlcCommunication',
  'log',
  'logLevel',
  'parameter',
  'parameterRequest',
  'readyStatus',
  'round_trip_time',
  'stopRequest',
  'systemTrigger',
  'vehicleObservation',
  'vehicleState',
  'vehicleStateList',
];

/** `reliable volatile keep-last 1`, and for a second reader `+ best-effort …`. */
function inShort(profile: QosProfile, kind: 'writer' | 'reader', topic: string): string {
  const all =
    kind === 'writer'
      ? [profile.qosFor('writer', topic)]
      : profile.readersFor(topic).map(({ qos }) => qos);
  return all
    .map(({ reliability, durability, history }) =>
      [reliability?.kind, durability?.kind, history?.kind, history?.depth]
        .filter(Boolean)
        .join(' '),
    )
    .join(' + ');
}

describe('the default deployment', () => {
  const libraries = loadQosFile(defaultQosFile);
  const lab = chooseProfile(libraries, 'Lab');
  const controller = chooseProfile(libraries, 'Controller');

  it('is free of warnings', () => {
    expect(libraries.warnings).toEqual([]);
  });

  it('writes every topic reliably and blocks for 100 ms at most', () => {
    for (const side of [lab, controller]) {
      for (const topic of topics) {
        const { reliability } = side.qosFor('writer', topic);
        expect(reliability?.kind).toBe('reliable');
        expect(reliability?.maxBlockingTimeNs).toBeLessThanOrEqual(100_000_000n);
      }
    }
  });

  it('blocks for 1 ms at most on what is written in every period', () => {
    for (const topic of commands) {
      expect(lab.qosFor('writer', topic).reliability?.maxBlockingTimeNs).toBe(1_000_000n);
    }
    expect(controller.qosFor('writer', 'vehicleStateList').reliability?.maxBlockingTimeNs).toBe(
      1_000_000n,
    );
  });

  it('gives every transient-local writer a durability service that keeps all', () => {
    const writers = [lab, controller].flatMap((side) =>
      topics.map((topic) => side.qosFor('writer', topic)),
    );
    const retained = writers.filter(({ durability }) => durability?.kind !== 'volatile');
    expect(retained).toHaveLength(5);
    for (const { durabilityService, history } of retained) {
      expect(durabilityService).toEqual({ history: { kind: 'keep-all' } });
      expect(history).toEqual({ kind: 'keep-all' });
    }
  });

  it.each([
    ['writer', 'readyStatus', 'reliable volatile keep-all'],
    ['writer', 'systemTrigger', 'reliable volatile keep-all'],
    ['writer', 'parameterRequest', 'reliable volatile keep-last 1'],
    ['writer', 'log', 'reliable volatile keep-last 100'],
    ['writer', 'vehicleCommandTrajectory', 'reliable volatile keep-last 1'],
    ['writer', 'commonroad_dds_goal_states', 'reliable transient-local keep-all'],
    ['reader', 'parameter', 'reliable volatile keep-all'],
    ['reader', 'systemTrigger', 'reliable volatile keep-all'],
    ['reader', 'commonroad_dds_goal_states', 'reliable transient-local keep-all'],
    ['reader', 'logLevel', 'reliable transient-local keep-all'],
    [
      'reader',
      'vehicleState',
      'reliable volatile keep-last 100 + best-effort volatile keep-last 100',
    ],
    [
      'reader',
      'vehicleObservation',
      'reliable volatile keep-last 100 + best-effort volatile keep-last 100',
    ],
    ['reader', 'stopRequest', 'reliable volatile keep-all + best-effort volatile keep-all'],
  ] as const)('has on the lab side, as %s of %s: %s', (kind, topic, expected) => {
    expect(inShort(lab, kind, topic)).toBe(expected);
  });

  it.each([
    ['writer', 'vehicleStateList', 'reliable volatile keep-last 1'],
    ['writer', 'systemTrigger', 'reliable volatile keep-all'],
    ['writer', 'commonroad_dds_goal_states', 'reliable transient-local keep-all'],
    ['writer', 'readyStatus', 'reliable transient-local keep-all'],
    ['reader', 'readyStatus', 'reliable transient-local keep-all'],
    [
      'reader',
      'vehicleCommandDirect',
      'reliable volatile keep-all + best-effort volatile keep-all',
    ],
    [
      'reader',
      'vehicleStateList',
      'reliable volatile keep-last 1 + best-effort volatile keep-last 1',
    ],
  ] as const)('has on the controller side, as %s of %s: %s', (kind, topic, expected) => {
    expect(inShort(controller, kind, topic)).toBe(expected);
  });
});

describe('the deployment of the original', () => {
  const libraries = loadQosFile(defaultQosFile.replace('default.xml', 'cpm-lab.xml'));

  // CPM Lab wire contract, the middleware's endpoints of both domains.
  it.each([
    ['Lab', 'writer', 'readyStatus', 'reliable volatile keep-last 1'],
    ['Lab', 'writer', 'parameterRequest', 'reliable volatile keep-last 1'],
    ['Lab', 'writer', 'log', 'reliable volatile keep-last 1'],
    ...commands.map(
      (topic) => ['Lab', 'writer', topic, 'best-effort volatile keep-last 1'] as const,
    ),
    ['Lab', 'reader', 'parameter', 'reliable volatile keep-all'],
    ['Lab', 'reader', 'systemTrigger', 'reliable volatile keep-all'],
    ['Lab', 'reader', 'commonroad_dds_goal_states', 'reliable transient-local keep-all'],
    ['Lab', 'reader', 'logLevel', 'reliable transient-local keep-all'],
    ['Lab', 'reader', 'vehicleState', 'best-effort volatile keep-last 2000'],
    ['Lab', 'reader', 'vehicleObservation', 'best-effort volatile keep-last 2000'],
    ['Controller', 'writer', 'vehicleStateList', 'best-effort volatile keep-last 1'],
    ['Controller', 'writer', 'systemTrigger', 'reliable volatile keep-last 1'],
    ['Controller', 'writer', 'commonroad_dds_goal_states', 'reliable transient-local keep-all'],
    ['Controller', 'reader', 'readyStatus', 'reliable transient-local keep-all'],
    ...commands.map(
      (topic) => ['Controller', 'reader', topic, 'best-effort volatile keep-all'] as const,
    ),
    // And of its partners.
    ['Lab', 'reader', 'readyStatus', 'reliable volatile keep-all'],
    ['Lab', 'reader', 'parameterRequest', 'best-effort volatile keep-all'],
    ['Lab', 'reader', 'log', 'reliable volatile keep-all'],
    ['Lab', 'writer', 'vehicleState', 'best-effort volatile keep-last 1'],
    ['Lab', 'writer', 'logLevel', 'reliable transient-local keep-all'],
    ['Controller', 'writer', 'readyStatus', 'reliable transient-local keep-all'],
    ['Controller', 'writer', 'vehicleCommandDirect', 'best-effort volatile keep-last 1'],
    ['Controller', 'reader', 'vehicleStateList', 'best-effort volatile keep-last 1'],
  ] as const)('has on the side %s, as %s of %s: %s', (side, kind, topic, expected) => {
    expect(inShort(chooseProfile(libraries, side), kind, topic)).toBe(expected);
  });
});

describe('the files of the CPM Lab', () => {
  it('load as they are: QOS_LOCAL_COMMUNICATION.xml', () => {
    const libraries = loadQosFile(pathOf('valid/QOS_LOCAL_COMMUNICATION.xml'));
    const profile = chooseProfile(libraries, 'Controller');
    expect(profile.name).toBe('MatlabLibrary::LocalCommunicationProfile');
    expect(profile.discovery).toEqual({ initialPeers: ['localhost', '30@192.0.2.7'] });
    expect(inShort(profile, 'reader', 'any')).toBe('reliable keep-last 1');
    expect(profile.qosFor('writer', 'any')).toEqual({
      reliability: { kind: 'reliable', maxBlockingTimeNs: 5_000_000_000n },
      history: { kind: 'keep-all' },
    });
    expect(libraries.warnings).toMatchObject([
      { line: 10, message: expect.stringContaining('--interface') as string },
    ]);
  });

  it('load as they are: QOS_READY_TRIGGER.xml', () => {
    const libraries = loadQosFile(pathOf('valid/QOS_READY_TRIGGER.xml'));
    const profile = chooseProfile(libraries, 'Controller');
    expect(profile.name).toBe('TriggerLibrary::ReadyTrigger');
    expect(inShort(profile, 'writer', 'readyStatus')).toBe('reliable transient-local keep-all');
    expect(inShort(profile, 'reader', 'systemTrigger')).toBe('reliable keep-all');
    expect(libraries.warnings).toEqual([]);
  });

  it('still get a second reader for old writers from the default deployment', () => {
    const libraries = loadQosFile(pathOf('valid/QOS_LOCAL_COMMUNICATION.xml'));
    const defaults = findProfile(libraries, 'HlcMiddleware::Lab');
    const readers = chooseProfile(libraries, 'Lab').readersFor('vehicleState', defaults);
    expect(readers.map(({ qos }) => qos.reliability?.kind)).toEqual(['reliable', 'best-effort']);
  });
});

describe('the profiles built into RTI Connext', () => {
  const shipped = loadShippedQos();

  it.each([
    ['Generic.StrictReliable', 'reliable keep-all', 'reliable keep-all'],
    ['Generic.KeepLastReliable', 'reliable keep-last 1', 'reliable keep-last 1'],
    ['Generic.BestEffort', 'best-effort', 'best-effort'],
    ['Generic.StrictReliable.LowLatency', 'reliable keep-all', 'reliable keep-all'],
    [
      'Generic.KeepLastReliable.TransientLocal',
      'reliable transient-local keep-last 1',
      'reliable transient-local keep-last 1',
    ],
  ])('mean the same in both libraries: %s', (name, writer, reader) => {
    for (const library of ['BuiltinQosLib', 'BuiltinQosLibExp']) {
      const profile = findProfile(shipped, `${library}::${name}`);
      expect(inShort(profile, 'writer', 't')).toBe(writer);
      expect(inShort(profile, 'reader', 't')).toBe(reader);
    }
  });

  it('say nothing where they only set what is RTI’s own', () => {
    const profile = findProfile(shipped, 'BuiltinQosLib::Generic.Common');
    expect(profile.qosFor('writer', 't')).toEqual({});
    expect(profile.discovery).toEqual({});
  });
});
