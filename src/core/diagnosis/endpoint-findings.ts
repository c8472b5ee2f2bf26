import type { HeardDomain, HeardEndpoint, HeardParticipant } from '../ports/index.js';
import { printable } from '../printable.js';
import { describeParticipant } from './describe-participant.js';
import type { Finding } from './finding.js';
import type { OurEndpoint, OurSide } from './our-side.js';
import { findQosMismatches, type QosMismatch } from './qos-match.js';

/** Our ends of the topic that this endpoint would exchange samples with. */
export function counterparts({ endpoints }: OurSide, heard: HeardEndpoint): OurEndpoint[] {
  return endpoints.filter(({ kind, topic }) => topic === heard.topic && kind !== heard.kind);
}

/** Whether samples pass between this endpoint and one of ours. */
export function fits(ours: OurSide, heard: HeardEndpoint): boolean {
  return counterparts(ours, heard).some(
    (own) => own.typeName === heard.typeName && mismatchesWith(own, heard).length === 0,
  );
}

/**
 * Each endpoint of one of our topics that cannot exchange samples with us, and why. Endpoints of a
 * participant that do not fit for the same reason are told once.
 */
export function endpointFindings(ours: OurSide, heard: HeardDomain): Finding[] {
  const findings = heard.participants.flatMap((participant) =>
    participant.endpoints.flatMap((endpoint) => findingOf(ours, participant, endpoint) ?? []),
  );
  const seen = new Set<string>();
  return findings.filter(({ what, participants = [] }) => {
    const key = `${participants.join()} ${what}`;
    return !seen.has(key) && seen.add(key);
  });
}

function findingOf(
  ours: OurSide,
  participant: HeardParticipant,
  heard: HeardEndpoint,
): Finding | undefined {
  const own = counterparts(ours, heard);
  const [first] = own;
  if (first === undefined || fits(ours, heard)) return undefined;
  const common = {
    domainId: ours.domainId,
    topic: heard.topic,
    participants: [participant.guidPrefix],
  };
  const end = `the ${heard.kind} of topic ${heard.topic} of ${describeParticipant(participant)}`;
  if (first.typeName !== heard.typeName) {
    return {
      kind: 'typeMismatch',
      ...common,
      what: `${end} has the type ${printable(heard.typeName)}, and the type of this topic is ${first.typeName}`,
      advice: `let that program use the type ${first.typeName} of idl/, with this very name`,
      types: { heard: heard.typeName, ours: first.typeName },
    };
  }
  // Of two readers of ours, the more modest one tells what is really missing.
  const mismatches = own
    .map((candidate) => mismatchesWith(candidate, heard))
    .reduce((least, other) => (other.length < least.length ? other : least));
  return {
    kind: 'qosMismatch',
    ...common,
    what: `${end} does not fit: ${mismatches.map((m) => sentence(m, heard)).join('; ')}`,
    advice: `${mismatches.map((m) => remedy(m, heard)).join(', ')}, or change what this middleware has with --qos-file`,
    mismatches,
  };
}

function mismatchesWith(own: OurEndpoint, heard: HeardEndpoint): QosMismatch[] {
  return heard.kind === 'writer'
    ? findQosMismatches(own.qos, heard.qos)
    : findQosMismatches(heard.qos, own.qos);
}

function sentence({ policy, requested, offered }: QosMismatch, { kind }: HeardEndpoint): string {
  return kind === 'writer'
    ? `its ${policy} is ${offered}, and this middleware asks for ${requested}`
    : `it asks for ${policy} ${requested}, and this middleware offers ${offered}`;
}

function remedy({ policy, requested, offered }: QosMismatch, { kind }: HeardEndpoint): string {
  return kind === 'writer'
    ? `let that writer offer ${policy} ${requested}`
    : `let that reader ask for ${policy} ${offered}`;
}
