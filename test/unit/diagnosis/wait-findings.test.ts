import { describe, expect, it } from 'vitest';
import { explainTimeout, type TimedOutWait } from '../../../src/diagnosis/index.js';
import type { DiscoveredParticipant } from '../../../src/ports/index.js';
import { controllerSide, discoveredOn, labSide, participant, readyWriter } from './discovered.js';

/** The reasons of a time-out of ready signals with these participants. */
function explain(all: DiscoveredParticipant[], changes: Partial<TimedOutWait> = {}) {
  return explainTimeout({
    topic: 'readyStatus',
    local: controllerSide,
    other: labSide,
    discovered: discoveredOn(1, ...all),
    otherIds: [],
    domainsInUse: [],
    ...changes,
  });
}

describe('ready signals that do not come', () => {
  it('on an empty domain are explained by that, with the other domains of this machine', () => {
    expect(explain([], { domainsInUse: [1, 5, 7] })).toEqual([
      { kind: 'noParticipants', domainId: 1, side: 'controller', domainsInUse: [5, 7] },
    ]);
  });

  it('are explained by participants that announce no reachable address', () => {
    const unanswered = [{ guidPrefix: '01'.repeat(12), vendor: 'RTI Connext' }];
    expect(explain([], { discovered: { domainId: 1, participants: [], unanswered } })).toEqual([
      { kind: 'unanswered', domainId: 1, unanswered },
    ]);
    const others = { domainId: 1, participants: [participant()], unanswered };
    expect(explain([], { discovered: others })).toMatchObject([{ kind: 'unanswered' }]);
    const unfit = discoveredOn(1, participant({ ...readyWriter, typeName: 'cpm::ReadyStatus' }));
    const both = explain([], { discovered: { ...unfit, unanswered } });
    expect(both.map(({ kind }) => kind)).toEqual(['typeMismatch', 'unanswered']);
  });

  it('are explained by a writer of the topic with another type', () => {
    const owner = participant({ ...readyWriter, typeName: 'cpm::ReadyStatus' });
    expect(explain([owner])).toEqual([
      {
        kind: 'typeMismatch',
        domainId: 1,
        topic: 'readyStatus',
        endpoint: 'writer',
        types: { discovered: 'cpm::ReadyStatus', local: 'ReadyStatus' },
        participants: [owner],
      },
    ]);
  });

  it('are explained by QoS that does not fit, policy by policy, before other reasons', () => {
    const volatile = participant({ ...readyWriter, qos: { reliability: { kind: 'reliable' } } });
    const commands = participant({
      kind: 'writer',
      topic: 'vehicleCommandDirect',
      typeName: 'VehicleCommandDirect',
      qos: { ownership: { kind: 'exclusive' } },
    });
    expect(explain([commands, volatile], { otherIds: ['hlc_9'] })).toMatchObject([
      {
        kind: 'qosMismatch',
        topic: 'readyStatus',
        mismatches: [{ policy: 'DURABILITY', requested: 'transient-local', offered: 'volatile' }],
      },
      { kind: 'otherIds', topic: 'readyStatus', sourceIds: ['hlc_9'] },
      { kind: 'qosMismatch', topic: 'vehicleCommandDirect' },
    ]);
  });

  it('are explained by participants of the other side', () => {
    const state = { kind: 'writer', topic: 'vehicleState', typeName: 'T', qos: {} } as const;
    const vehicle = participant(state, state);
    expect(explain([vehicle])).toEqual([
      {
        kind: 'wrongSide',
        domainId: 1,
        side: 'controller',
        other: { side: 'lab', domainId: 0 },
        participants: [vehicle],
        endpoints: [{ kind: 'writer', topic: 'vehicleState' }],
      },
    ]);
  });

  it('though a participant could send them name that participant', () => {
    const idle = participant();
    const able = participant(readyWriter);
    expect(explain([idle, able])).toMatchObject([{ kind: 'nothingSent', participants: [able] }]);
  });

  it('without a writer name all participants', () => {
    const idle = participant();
    expect(explain([idle])).toMatchObject([{ kind: 'noWriter', participants: [idle] }]);
  });
});

describe('endpoints of local topics', () => {
  const command = {
    kind: 'writer',
    topic: 'vehicleCommandDirect',
    typeName: 'VehicleCommandDirect',
  } as const;

  it('fit when they fit one of two local readers', () => {
    const writer = participant({ ...command, qos: { reliability: { kind: 'best-effort' } } });
    expect(explain([writer]).map(({ kind }) => kind)).toEqual(['noWriter']);
  });

  it('that fit no local reader are compared with the one that requests less', () => {
    const qos = {
      reliability: { kind: 'best-effort' },
      ownership: { kind: 'exclusive' },
    } as const;
    const [, second] = explain([participant({ ...command, qos })]);
    expect(second).toMatchObject({ kind: 'qosMismatch', mismatches: [{ policy: 'OWNERSHIP' }] });
    expect(second).toHaveProperty('mismatches.length', 1);
  });

  it('of one participant with the same reason count once', () => {
    const list = {
      kind: 'reader',
      topic: 'vehicleStateList',
      typeName: 'VehicleStateList',
      qos: { durability: { kind: 'transient-local' } },
    } as const;
    const found = explain([participant(list, list), participant(list)]);
    expect(found.map(({ kind }) => kind)).toEqual(['noWriter', 'qosMismatch', 'qosMismatch']);
  });
});
