import { describe, expect, it } from 'vitest';
import { findProfile, parseQosFile } from '../../../../src/dds/qos/index.js';
import { profileIn } from './fixtures.js';

const reliable = '<reliability><kind>RELIABLE_RELIABILITY_QOS</kind></reliability>';
const bestEffort = '<reliability><kind>BEST_EFFORT_RELIABILITY_QOS</kind></reliability>';
const keepLast = (depth: number) =>
  `<history><kind>KEEP_LAST_HISTORY_QOS</kind><depth>${depth}</depth></history>`;
const keepAll = '<history><kind>KEEP_ALL_HISTORY_QOS</kind></history>';

describe('a profile with a base', () => {
  it('keeps what the base says of entities that it does not name', () => {
    const profile = profileIn(
      `<qos_profile name="A"><datareader_qos>${reliable}</datareader_qos></qos_profile>
       <qos_profile name="B" base_name="A"><datawriter_qos>${keepAll}</datawriter_qos></qos_profile>`,
      'B',
    );
    expect(profile.qosFor('reader', 't')).toEqual({ reliability: { kind: 'reliable' } });
    expect(profile.qosFor('writer', 't')).toEqual({ history: { kind: 'keep-all' } });
  });

  it('changes field by field, over several steps', () => {
    const profile = profileIn(
      `<qos_profile name="A"><datawriter_qos>
         <reliability><kind>RELIABLE_RELIABILITY_QOS</kind><max_blocking_time><sec>5</sec></max_blocking_time></reliability>
         ${keepLast(3)}</datawriter_qos></qos_profile>
       <qos_profile name="B" base_name="A"><datawriter_qos>
         <reliability><max_blocking_time><sec>1</sec></max_blocking_time></reliability>
         ${keepAll}</datawriter_qos></qos_profile>
       <qos_profile name="C" base_name="L::B"><datawriter_qos>
         <durability><kind>TRANSIENT_LOCAL_DURABILITY_QOS</kind></durability></datawriter_qos></qos_profile>`,
      'C',
    );
    expect(profile.qosFor('writer', 't')).toEqual({
      reliability: { kind: 'reliable', maxBlockingTimeNs: 1_000_000_000n },
      history: { kind: 'keep-all' },
      durability: { kind: 'transient-local' },
    });
  });

  it('finds the base in another library and in a file loaded before', () => {
    const first = parseQosFile(
      `<dds><qos_library name="Site"><qos_profile name="A"><topic_qos>${keepAll}</topic_qos></qos_profile></qos_library></dds>`,
      'first.xml',
    );
    const second = parseQosFile(
      `<dds><qos_library name="One"><qos_profile name="B" base_name="Site::A"/></qos_library>
       <qos_library name="Two"><qos_profile name="C" base_name="One::B"/></qos_library></dds>`,
      'second.xml',
      first,
    );
    expect(findProfile(second, 'Two::C').qosFor('topic', 't')).toEqual({
      history: { kind: 'keep-all' },
    });
  });

  it('hides a profile of the same full name that was loaded before', () => {
    const profileA = (inner: string) =>
      `<dds><qos_library name="L"><qos_profile name="A"><topic_qos>${inner}</topic_qos></qos_profile></qos_library></dds>`;
    const first = parseQosFile(profileA(keepAll), 'first.xml');
    const second = parseQosFile(profileA(keepLast(2)), 'second.xml', first);
    expect(findProfile(second, 'L::A').qosFor('topic', 't').history).toEqual({
      kind: 'keep-last',
      depth: 2,
    });
  });

  it('takes of the base what the base says for the same topic', () => {
    const profile = profileIn(
      `<qos_profile name="A">
         <datawriter_qos topic_filter="vehicle*">${reliable}</datawriter_qos>
         <datawriter_qos>${bestEffort}</datawriter_qos></qos_profile>
       <qos_profile name="B" base_name="A"><datawriter_qos topic_filter="*State">${keepLast(7)}</datawriter_qos></qos_profile>`,
      'B',
    );
    expect(profile.qosFor('writer', 'vehicleState')).toEqual({
      reliability: { kind: 'reliable' },
      history: { kind: 'keep-last', depth: 7 },
    });
    expect(profile.qosFor('writer', 'robotState').reliability).toEqual({ kind: 'best-effort' });
    expect(profile.qosFor('writer', 'vehicleList')).toEqual({ reliability: { kind: 'reliable' } });
  });

  it('can be laid over several bases, each over the one before', () => {
    const profile = profileIn(
      `<qos_profile name="A"><topic_qos>${reliable}${keepLast(1)}</topic_qos></qos_profile>
       <qos_profile name="B"><topic_qos>${keepLast(2)}</topic_qos></qos_profile>
       <qos_profile name="C"><base_name><element>A</element><element>L::B</element></base_name></qos_profile>`,
      'C',
    );
    expect(profile.qosFor('topic', 't')).toEqual({
      reliability: { kind: 'reliable' },
      history: { kind: 'keep-last', depth: 2 },
    });
  });
});

describe('an entity with a base of its own', () => {
  const profiles = `
    <qos_profile name="A">
      <datawriter_qos>${reliable}${keepLast(4)}</datawriter_qos>
      <datawriter_qos name="log">${bestEffort}${keepAll}</datawriter_qos>
    </qos_profile>
    <qos_profile name="B"><datawriter_qos>${keepLast(9)}</datawriter_qos></qos_profile>
    <qos_profile name="C" base_name="B">
      <datawriter_qos topic_filter="whole" base_name="A"/>
      <datawriter_qos topic_filter="log" base_name="L::A::log"/>
      <datawriter_qos/>
    </qos_profile>`;

  it('takes the same entity of that profile in place of its own profile’s base', () => {
    expect(profileIn(profiles, 'C').qosFor('writer', 'whole')).toEqual({
      reliability: { kind: 'reliable' },
      history: { kind: 'keep-last', depth: 4 },
    });
  });

  it('takes the named entity when the base names one', () => {
    expect(profileIn(profiles, 'C').qosFor('writer', 'log')).toEqual({
      reliability: { kind: 'best-effort' },
      history: { kind: 'keep-all' },
    });
  });

  it('leaves the other entities with the base of the profile', () => {
    expect(profileIn(profiles, 'C').qosFor('writer', 'other')).toEqual({
      history: { kind: 'keep-last', depth: 9 },
    });
  });
});
