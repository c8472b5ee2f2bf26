import type {
  DiscoveredDomain,
  DiscoveredEndpoint,
  DiscoveredParticipant,
} from '../ports/index.js';
import type { EndpointFinding, LocalEndpoint, LocalSide } from './finding.js';
import { findQosMismatches, type QosMismatch } from './qos-match.js';

/** The local endpoints of the topic with which this endpoint would exchange samples. */
export function counterparts(
  { endpoints }: LocalSide,
  discovered: DiscoveredEndpoint,
): LocalEndpoint[] {
  return endpoints.filter(
    ({ kind, topic }) => topic === discovered.topic && kind !== discovered.kind,
  );
}

/** Whether this endpoint exchanges samples with one of the local ones. */
export function fits(local: LocalSide, discovered: DiscoveredEndpoint): boolean {
  return counterparts(local, discovered).some(
    (own) =>
      own.typeName === discovered.typeName && mismatchesBetween(own, discovered).length === 0,
  );
}

/**
 * Each endpoint of a local topic that cannot exchange samples, and the reason. Endpoints of one
 * participant with the same reason count once.
 */
export function endpointFindings(local: LocalSide, domain: DiscoveredDomain): EndpointFinding[] {
  const findings = domain.participants.flatMap((participant) =>
    participant.endpoints.flatMap((endpoint) => findingOf(local, participant, endpoint) ?? []),
  );
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const [{ guidPrefix }] = finding.participants;
    const key = JSON.stringify({ ...finding, participants: guidPrefix });
    return !seen.has(key) && seen.add(key);
  });
}

function findingOf(
  local: LocalSide,
  participant: DiscoveredParticipant,
  discovered: DiscoveredEndpoint,
): EndpointFinding | undefined {
  const own = counterparts(local, discovered);
  const [first] = own;
  if (first === undefined || fits(local, discovered)) return undefined;
  const common = {
    domainId: local.domainId,
    topic: discovered.topic,
    endpoint: discovered.kind,
    participants: [participant],
  } as const;
  if (first.typeName !== discovered.typeName) {
    const types = { discovered: discovered.typeName, local: first.typeName };
    return { kind: 'typeMismatch', ...common, types };
  }
  // Of two local readers, the one with fewer mismatches names what is missing.
  const mismatches = own
    .map((candidate) => mismatchesBetween(candidate, discovered))
    .reduce((least, other) => (other.length < least.length ? other : least));
  return { kind: 'qosMismatch', ...common, mismatches };
}

function mismatchesBetween(own: LocalEndpoint, discovered: DiscoveredEndpoint): QosMismatch[] {
  return discovered.kind === 'writer'
    ? findQosMismatches(own.qos, discovered.qos)
    : findQosMismatches(discovered.qos, own.qos);
}
