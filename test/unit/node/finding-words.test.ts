import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/diagnosis/index.js';
import { findingReport } from '../../../src/node/finding-report.js';
import { findingWords } from '../../../src/node/finding-words.js';
import { participant, readyWriter } from '../diagnosis/discovered.js';

const owner = participant(readyWriter);
const domainId = 1;
const qosMismatch = {
  kind: 'qosMismatch',
  domainId,
  topic: 'readyStatus',
  endpoint: 'writer',
  participants: [owner],
  mismatches: [
    { policy: 'DURABILITY', policyId: 2, requested: 'transient-local', offered: 'volatile' },
  ],
} as const satisfies Finding;

describe('a finding in words', () => {
  it.each<[Finding, string, string]>([
    [
      { kind: 'noParticipants', domainId, side: 'controller', domainsInUse: [] },
      'no participants seen on DDS domain 1',
      '--domain-number',
    ],
    [
      { kind: 'noParticipants', domainId, side: 'lab', domainsInUse: [5, 7] },
      'no participants seen on DDS domain 1; programs of this machine are on DDS domain 5, 7',
      '--dds-domain',
    ],
    [
      {
        kind: 'unanswered',
        domainId,
        unanswered: [{ guidPrefix: '01'.repeat(12), vendor: 'RTI Connext' }],
      },
      `a participant announces no address that this middleware reaches on DDS domain 1: RTI Connext (${'01'.repeat(12)})`,
      '--local-addresses=all',
    ],
    [
      {
        kind: 'typeMismatch',
        domainId,
        topic: 'readyStatus',
        endpoint: 'writer',
        participants: [owner],
        types: { discovered: 'cpm::ReadyStatus', local: 'ReadyStatus' },
      },
      'the writer of topic readyStatus of python3, process 42 on lab-pc has the type cpm::ReadyStatus, and the type of this topic is ReadyStatus',
      'use the type ReadyStatus of idl/',
    ],
    [
      qosMismatch,
      'it offers DURABILITY volatile, and this middleware requests transient-local',
      'let that writer offer DURABILITY transient-local, or change the QoS of this middleware with --qos-file',
    ],
    [
      { ...qosMismatch, endpoint: 'reader' },
      'it requests DURABILITY transient-local, and this middleware offers volatile',
      'let that reader request DURABILITY volatile',
    ],
    [
      { kind: 'otherIds', domainId, topic: 'readyStatus', sourceIds: ['hlc_2', ''] },
      '"hlc_2", ""',
      '--vehicle-ids',
    ],
    [
      { kind: 'nothingSent', domainId, topic: 'readyStatus', participants: [owner] },
      'python3, process 42 on lab-pc could send the ready signals on DDS domain 1, and did not',
      'what that program waits for',
    ],
    [
      {
        kind: 'noWriter',
        domainId,
        side: 'controller',
        topic: 'readyStatus',
        participants: Array.from({ length: 9 }, () => participant()),
      },
      'no participant on DDS domain 1 writes topic readyStatus',
      '--controller-side=ros2',
    ],
    [
      {
        kind: 'wrongSide',
        domainId,
        side: 'controller',
        other: { side: 'lab', domainId: 0 },
        participants: [{ ...owner, name: 'car' }],
        endpoints: [{ kind: 'writer', topic: 'vehicleState' }],
      },
      '"car" (python3, process 42 on lab-pc) (writer of vehicleState)',
      'move these programs to DDS domain 0',
    ],
    [
      {
        kind: 'sameNodeId',
        domainId,
        participants: [],
        guidPrefixes: [],
        sourceIds: ['middleware'],
      },
      'two middlewares have the node id "middleware" on DDS domain 1',
      '--node-id',
    ],
    [
      {
        kind: 'sameControllerId',
        domainId,
        participants: [],
        guidPrefixes: [],
        sourceIds: ['hlc_1'],
      },
      'two programs send the ready signal of "hlc_1" on DDS domain 1',
      'the id of another vehicle',
    ],
  ])('%o', (finding, what, advice) => {
    const words = findingWords(finding, 'the ready signals');
    expect(words.what).toContain(what);
    expect(words.advice).toContain(advice);
  });

  it('names four participants at most, and the number of the others', () => {
    const participants = Array.from({ length: 9 }, () => participant());
    const finding = { kind: 'nothingSent', domainId, topic: 'readyStatus', participants } as const;
    expect(findingWords(finding).what).toMatch(
      /(python3, process 42 on lab-pc; ){4}5 more could send/,
    );
  });
});

describe('a finding in the report', () => {
  it('has the numbers of its policies, and participants by their GUID prefixes', () => {
    expect(findingReport(qosMismatch)).toEqual({
      ...findingWords(qosMismatch),
      kind: 'qosMismatch',
      domain_id: 1,
      topic: 'readyStatus',
      participants: [owner.guidPrefix],
      mismatches: [
        { policy: 'DURABILITY', policy_id: 2, requested: 'transient-local', offered: 'volatile' },
      ],
    });
  });
});
