import { describe, expect, it } from 'vitest';
import { profileIn, profileOf } from './fixtures.js';

const reliable = '<reliability><kind>RELIABLE_RELIABILITY_QOS</kind></reliability>';
const second = '<datareader_qos name="bestEffort" topic_filter="vehicle*"/>';
const first = (inner = '') =>
  `<datareader_qos>${reliable}<history><depth>5</depth></history>${inner}</datareader_qos>`;

describe('the readers of a topic', () => {
  it('are two when the profile names a best-effort one, with the QoS of the first', () => {
    expect(profileOf(first() + second).readersFor('vehicleState')).toEqual([
      {
        qos: { reliability: { kind: 'reliable' }, history: { kind: 'keep-last', depth: 5 } },
        options: { ignoreReliableWriters: false },
      },
      {
        qos: { reliability: { kind: 'best-effort' }, history: { kind: 'keep-last', depth: 5 } },
        options: { ignoreReliableWriters: true },
      },
    ]);
  });

  it('are one for a topic that the best-effort one is not for', () => {
    expect(profileOf(first() + second).readersFor('log')).toHaveLength(1);
  });

  it('are one when the first is best effort itself', () => {
    expect(profileOf(second).readersFor('vehicleState')).toHaveLength(1);
    const bestEffort = second.replace('name="bestEffort" ', '');
    expect(profileOf(bestEffort).readersFor('vehicleState')).toHaveLength(1);
  });

  it('never count the best-effort element as the first', () => {
    const profile = profileOf(second + first());
    expect(profile.qosFor('reader', 'vehicleState').reliability?.kind).toBe('reliable');
  });

  it('differ in what the best-effort element names', () => {
    const own = second.replace('/>', '><history><depth>9</depth></history></datareader_qos>');
    const [one, two] = profileOf(first() + own).readersFor('vehicleState');
    expect(one?.qos.history?.depth).toBe(5);
    expect(two?.qos.history?.depth).toBe(9);
  });

  it('are inherited as two, and follow what the derived profile changes', () => {
    const profile = profileIn(
      `<qos_profile name="A">${first()}${second}</qos_profile>
       <qos_profile name="B" base_name="A"><datareader_qos><history><depth>6</depth></history></datareader_qos></qos_profile>`,
      'B',
    );
    expect(profile.readersFor('vehicleState').map(({ qos }) => qos.history?.depth)).toEqual([6, 6]);
  });

  it('take the second from another profile when this one has none', () => {
    const readers = profileOf(first()).readersFor('vehicleState', profileOf(second));
    expect(readers.map(({ qos }) => qos.reliability?.kind)).toEqual(['reliable', 'best-effort']);
  });
});
