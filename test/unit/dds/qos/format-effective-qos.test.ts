import { describe, expect, it } from 'vitest';
import { findProfile, formatEffectiveQos, parseQosFile } from '../../../../src/dds/qos/index.js';
import { profileOf, textOf } from './fixtures.js';

describe('the effective QoS in words', () => {
  it('names the defaults of DDS where the file says nothing', () => {
    const answer = formatEffectiveQos(profileOf(''), [
      { kind: 'writer', topic: 'a' },
      { kind: 'reader', topic: 'a' },
      { kind: 'participant', topic: '' },
    ]);
    expect(answer).toEqual([
      {
        kind: 'writer',
        topic: 'a',
        second: false,
        lines: [
          'reliability: reliable (default)',
          'durability: volatile (default)',
          'history: keep last 1 (default)',
        ],
        notes: [],
      },
      {
        kind: 'reader',
        topic: 'a',
        second: false,
        lines: [
          'reliability: best-effort (default)',
          'durability: volatile (default)',
          'history: keep last 1 (default)',
        ],
        notes: [],
      },
      { kind: 'participant', topic: '', second: false, lines: [], notes: [] },
    ]);
  });

  it('has a line for every policy that a file names', () => {
    const profile = findProfile(
      parseQosFile(textOf('valid/every-policy.xml'), 'e.xml'),
      'All::Every',
    );
    const [writer, reader] = formatEffectiveQos(profile, [
      { kind: 'writer', topic: 'a' },
      { kind: 'reader', topic: 'a' },
    ]);
    expect(writer?.lines).toEqual([
      'reliability: reliable, blocks at most 20 ms',
      'durability: transient',
      'history: keep all',
      'durability service: keep last 5, samples 100, instances unlimited, samples of an instance 10',
      'resource limits: samples 1000, instances unlimited, samples of an instance 50',
      'deadline: 1500 ms',
      'latency budget: 0.000007 ms',
      'lifespan: infinite',
      'liveliness: manual-by-topic, lease 3000 ms',
      'destination order: by-source-timestamp',
      'ownership: exclusive, strength 9',
      'partition: "run-1", "lab*"',
      'presentation: group, coherent true, ordered true',
      'transport priority: -4',
      'user data: 3 bytes',
      'group data: 3 bytes',
      'writer data lifecycle: dispose unregistered false',
    ]);
    expect(reader?.lines).toContain('time-based filter: 0.00025 ms');
    expect(reader?.lines).toContain(
      'reader data lifecycle: purge without writer after 60000 ms, disposed after infinite',
    );
  });

  it('has two answers for a topic with two readers', () => {
    const profile = profileOf(
      '<datareader_qos><reliability><kind>RELIABLE_RELIABILITY_QOS</kind></reliability></datareader_qos><datareader_qos name="bestEffort"/>',
    );
    const answer = formatEffectiveQos(profile, [{ kind: 'reader', topic: 'a' }]);
    expect(answer.map(({ second, lines }) => [second, lines[0]])).toEqual([
      [false, 'reliability: reliable'],
      [true, 'reliability: best-effort'],
    ]);
  });

  it('notes a write that can block for longer than 100 ms', () => {
    const notesFor = (duration: string) =>
      formatEffectiveQos(
        profileOf(
          `<datawriter_qos><reliability><max_blocking_time>${duration}</max_blocking_time></reliability></datawriter_qos>`,
        ),
        [{ kind: 'writer', topic: 'a' }],
      )[0]?.notes;
    expect(notesFor('<sec>5</sec>')).toEqual([
      'A slow reader can block a write for 5000 ms; 100 ms or less keep the periods free.',
    ]);
    expect(notesFor('DURATION_INFINITY')?.[0]).toContain('for infinite');
    expect(notesFor('<nanosec>100000000</nanosec>')).toEqual([]);
  });
});
