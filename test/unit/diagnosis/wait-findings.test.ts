import { describe, expect, it } from 'vitest';
import { explainWait, type VainWait } from '../../../src/diagnosis/index.js';
import type { HeardParticipant } from '../../../src/ports/index.js';
import { controllerSide, heardOn, labSide, participant, readyWriter } from './discovered.js';

/** Why no ready signal came, when these were heard. */
function explain(all: HeardParticipant[], changes: Partial<VainWait> = {}) {
  return explainWait({
    topic: 'readyStatus',
    what: 'the ready signals of controllers 1',
    ours: controllerSide,
    other: labSide,
    heard: heardOn(1, ...all),
    otherIds: [],
    domainsInUse: [],
    ...changes,
  });
}

describe('ready signals that do not come', () => {
  it('from a domain on which nobody is are explained by that, with the domains of this machine', () => {
    expect(explain([])).toMatchObject([
      { kind: 'nothingHeard', domainId: 1, what: 'no participants seen on DDS domain 1' },
    ]);
    const [finding] = explain([], { domainsInUse: [1, 5, 7] });
    expect(finding.what).toBe(
      'no participants seen on DDS domain 1; programs of this machine are on DDS domain 5, 7',
    );
    expect(finding.advice).toContain('--domain-number');
  });

  it('are explained by participants that announce no address that is reached', () => {
    const unanswered = [{ guidPrefix: '01'.repeat(12), vendor: 'RTI Connext' }];
    const [finding] = explain([], { heard: { domainId: 1, participants: [], unanswered } });
    expect(finding).toMatchObject({ kind: 'unanswered', participants: ['01'.repeat(12)] });
    expect(finding.what).toContain('RTI Connext');
    expect(finding.advice).toContain('--local-addresses=all');
    const others = { domainId: 1, participants: [participant()], unanswered };
    expect(explain([], { heard: others })).toMatchObject([{ kind: 'unanswered' }]);
    const unfit = heardOn(1, participant({ ...readyWriter, typeName: 'cpm::ReadyStatus' }));
    const both = explain([], { heard: { ...unfit, unanswered } });
    expect(both.map(({ kind }) => kind)).toEqual(['typeMismatch', 'unanswered']);
  });

  it('are explained by a writer of the topic with another type', () => {
    const who = participant({ ...readyWriter, typeName: 'cpm::ReadyStatus' });
    expect(explain([who])).toMatchObject([
      {
        kind: 'typeMismatch',
        topic: 'readyStatus',
        types: { heard: 'cpm::ReadyStatus', ours: 'ReadyStatus' },
        participants: [who.guidPrefix],
        what: 'the writer of topic readyStatus of python3, process 42 on lab-pc has the type cpm::ReadyStatus, and the type of this topic is ReadyStatus',
      },
    ]);
  });

  it('are explained by QoS that does not fit, policy by policy, before all else', () => {
    const volatile = participant({ ...readyWriter, qos: { reliability: { kind: 'reliable' } } });
    const commands = participant({
      kind: 'writer',
      topic: 'vehicleCommandDirect',
      typeName: 'VehicleCommandDirect',
      qos: { ownership: { kind: 'exclusive' } },
    });
    const found = explain([commands, volatile], { otherIds: ['hlc_9'] });
    expect(found.map(({ kind, topic }) => [kind, topic])).toEqual([
      ['qosMismatch', 'readyStatus'],
      ['otherIds', 'readyStatus'],
      ['qosMismatch', 'vehicleCommandDirect'],
    ]);
    expect(found[0]).toMatchObject({
      mismatches: [{ policy: 'DURABILITY', requested: 'transient-local', offered: 'volatile' }],
      advice:
        'let that writer offer DURABILITY transient-local, or change what this middleware has with --qos-file',
    });
  });

  it('are explained by the ids that did come', () => {
    const [finding] = explain([participant(readyWriter)], { otherIds: ['hlc_2', ''] });
    expect(finding).toMatchObject({ kind: 'otherIds', sourceIds: ['hlc_2', ''] });
    expect(finding.what).toContain('"hlc_2", ""');
  });

  it('are explained by participants of the other side', () => {
    const vehicle = participant({ kind: 'writer', topic: 'vehicleState', typeName: 'T', qos: {} });
    expect(explain([vehicle])).toMatchObject([
      { kind: 'wrongSide', domainId: 1, participants: [vehicle.guidPrefix] },
    ]);
  });

  it('though somebody could send them are said to be held back by that one', () => {
    const idle = participant();
    const able = participant(readyWriter);
    expect(explain([idle, able])).toMatchObject([
      { kind: 'nothingSent', participants: [able.guidPrefix] },
    ]);
  });

  it('that nobody writes are said to be so, with who is there', () => {
    const idle = participant();
    const [finding] = explain([idle]);
    expect(finding).toMatchObject({ kind: 'nobodyWrites', participants: [idle.guidPrefix] });
    expect(finding.what).toContain('python3, process 42 on lab-pc');
    const many = Array.from({ length: 9 }, () => participant());
    expect(explain(many)[0].what).toMatch(/; 5 more$/);
  });
});

describe('endpoints of our topics', () => {
  const command = {
    kind: 'writer',
    topic: 'vehicleCommandDirect',
    typeName: 'VehicleCommandDirect',
  } as const;

  it('that fit one of two readers of ours fit', () => {
    const writer = participant({ ...command, qos: { reliability: { kind: 'best-effort' } } });
    expect(explain([writer]).map(({ kind }) => kind)).toEqual(['nobodyWrites']);
  });

  it('that fit neither are measured by the more modest one', () => {
    const qos = {
      reliability: { kind: 'best-effort' },
      ownership: { kind: 'exclusive' },
    } as const;
    const found = explain([participant({ ...command, qos })]);
    expect(found.at(-1)?.mismatches?.map(({ policy }) => policy)).toEqual(['OWNERSHIP']);
  });

  it('of one participant that do not fit for the same reason are told once', () => {
    const list = {
      kind: 'reader',
      topic: 'vehicleStateList',
      typeName: 'VehicleStateList',
      qos: { durability: { kind: 'transient-local' } },
    } as const;
    const found = explain([participant(list, list), participant(list)]);
    expect(found.map(({ kind }) => kind)).toEqual(['nobodyWrites', 'qosMismatch', 'qosMismatch']);
    expect(found[1]?.what).toContain(
      'it asks for DURABILITY transient-local, and this middleware offers volatile',
    );
    expect(found[1]?.advice).toContain('let that reader ask for DURABILITY volatile');
  });
});
