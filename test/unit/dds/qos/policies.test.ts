import { describe, expect, it } from 'vitest';
import { findProfile, parseQosFile } from '../../../../src/dds/qos/index.js';
import { profileOf, textOf } from './fixtures.js';

describe('the policies of a file', () => {
  const libraries = parseQosFile(textOf('valid/every-policy.xml'), 'every-policy.xml');
  const profile = findProfile(libraries, 'All::Every');

  it('reach a writer, with those of its publisher', () => {
    expect(profile.qosFor('writer', 'any')).toEqual({
      reliability: { kind: 'reliable', maxBlockingTimeNs: 20_000_000n },
      durability: { kind: 'transient' },
      durabilityService: {
        history: { kind: 'keep-last', depth: 5 },
        maxSamples: 100,
        maxInstances: null,
        maxSamplesPerInstance: 10,
        serviceCleanupDelayNs: 2_000_000_000n,
      },
      history: { kind: 'keep-all' },
      resourceLimits: { maxSamples: 1000, maxInstances: null, maxSamplesPerInstance: 50 },
      deadline: { periodNs: 1_500_000_000n },
      latencyBudget: { durationNs: 7n },
      lifespan: { durationNs: null },
      liveliness: { kind: 'manual-by-topic', leaseDurationNs: 3_000_000_000n },
      destinationOrder: { kind: 'by-source-timestamp' },
      ownership: { kind: 'exclusive', strength: 9 },
      transportPriority: { value: -4 },
      userData: Uint8Array.of(34, 44, 7),
      groupData: Uint8Array.of(1, 2, 3),
      writerDataLifecycle: { autodisposeUnregisteredInstances: false },
      partition: { names: ['run-1', 'lab*'] },
      presentation: { accessScope: 'group', coherentAccess: true, orderedAccess: true },
    });
  });

  it('reach a reader, with those of its subscriber', () => {
    expect(profile.qosFor('reader', 'any')).toEqual({
      reliability: { kind: 'reliable' },
      durability: { kind: 'transient-local' },
      history: { kind: 'keep-last', depth: 4 },
      deadline: { periodNs: null },
      liveliness: { kind: 'manual-by-participant', leaseDurationNs: null },
      destinationOrder: { kind: 'by-reception-timestamp' },
      ownership: { kind: 'shared' },
      timeBasedFilter: { minimumSeparationNs: 250n },
      readerDataLifecycle: {
        autopurgeNowriterSamplesDelayNs: 60_000_000_000n,
        autopurgeDisposedSamplesDelayNs: null,
      },
      partition: { names: ['run-2'] },
      presentation: { accessScope: 'topic', coherentAccess: false, orderedAccess: false },
    });
  });

  it('reach a topic and a participant', () => {
    expect(profile.qosFor('topic', 'any')).toEqual({
      topicData: new Uint8Array(),
      durability: { kind: 'persistent' },
      reliability: { kind: 'best-effort' },
      history: { kind: 'keep-last', depth: 3 },
    });
    expect(profile.qosFor('participant', '')).toEqual({
      userData: new TextEncoder().encode('hello'),
    });
  });

  it('are reported when this program does not leave them to the file', () => {
    expect(libraries.warnings.map(({ line, element }) => [line, element])).toEqual([
      [81, 'dds/qos_library[All]/qos_profile[Every]/datareader_qos/type_consistency'],
      [82, 'dds/qos_library[All]/qos_profile[Every]/datareader_qos/data_representation'],
    ]);
  });

  it('are absent when no element names them', () => {
    const empty = profileOf('<datawriter_qos/><topic_qos><history/></topic_qos>');
    expect(empty.qosFor('writer', 't')).toEqual({});
    expect(empty.qosFor('topic', 't')).toEqual({ history: { kind: 'keep-last' } });
    expect(empty.qosFor('reader', 't')).toEqual({});
  });

  it('take the default kind of the entity when only another field is named', () => {
    const reliability =
      '<reliability><max_blocking_time><sec>1</sec></max_blocking_time></reliability>';
    const profile = profileOf(
      `<datawriter_qos>${reliability}</datawriter_qos><datareader_qos>${reliability}</datareader_qos>`,
    );
    expect(profile.qosFor('writer', 't').reliability).toEqual({
      kind: 'reliable',
      maxBlockingTimeNs: 1_000_000_000n,
    });
    expect(profile.qosFor('reader', 't').reliability).toEqual({ kind: 'best-effort' });
  });
});

describe('a duration', () => {
  const period = (xml: string) =>
    profileOf(`<topic_qos><deadline><period>${xml}</period></deadline></topic_qos>`).qosFor(
      'topic',
      't',
    ).deadline?.periodNs;

  it.each([
    ['<sec>1</sec><nanosec>2</nanosec>', 1_000_000_002n],
    ['<sec>2147483647</sec>', 2_147_483_647_000_000_000n],
    ['<nanosec>999999999</nanosec>', 999_999_999n],
    ['<nanosec>3</nanosec><sec> 4 </sec>', 4_000_000_003n],
    ['<sec>DURATION_ZERO_SEC</sec><nanosec>DURATION_ZERO_NSEC</nanosec>', 0n],
    ['DURATION_ZERO', 0n],
  ])('%s is %s ns', (xml, expected) => {
    expect(period(xml)).toBe(expected);
  });

  it.each([
    '<sec>DURATION_INFINITE_SEC</sec><nanosec>DURATION_INFINITE_NSEC</nanosec>',
    '<sec>DURATION_INFINITE_SEC</sec><nanosec>0</nanosec>',
    '<sec>DURATION_INFINITY</sec><nanosec>DURATION_INFINITY</nanosec>',
    '<sec>2147483647</sec><nanosec>2147483647</nanosec>',
    '<nanosec>DURATION_INFINITE_NSEC</nanosec>',
    'DURATION_INFINITY',
  ])('%s is infinite', (xml) => {
    expect(period(xml)).toBeNull();
  });
});

describe('bytes', () => {
  const bytes = (text: string) =>
    profileOf(
      `<participant_qos><user_data><value>${text}</value></user_data></participant_qos>`,
    ).qosFor('participant', '').userData;

  it.each([
    ['AQ==', [1]],
    ['AQI\n D', [1, 2, 3]],
    ['0x6vBITsMw==', [211, 30, 175, 4, 132, 236, 51]],
    ['1,0xFF, 0', [1, 255, 0]],
  ])('can be written as %j', (text, expected) => {
    expect([...(bytes(text) ?? [])]).toEqual(expected);
  });
});

describe('the text of a value', () => {
  const depth = (xml: string) =>
    profileOf(`<topic_qos><history><depth>${xml}</depth></history></topic_qos>`).qosFor(
      'topic',
      't',
    ).history?.depth;

  it('may stand among white space, comments and CDATA', () => {
    expect(depth('\n  12\n')).toBe(12);
    expect(depth('1<!-- and -->2')).toBe(12);
    expect(depth('<![CDATA[12]]>')).toBe(12);
  });

  it('may use the five entities of XML', () => {
    const profile = profileOf(
      '<publisher_qos><partition><name><element>a&amp;b&#x41;</element></name></partition></publisher_qos>',
    );
    expect(profile.qosFor('writer', 't').partition).toEqual({ names: ['a&bA'] });
  });
});
