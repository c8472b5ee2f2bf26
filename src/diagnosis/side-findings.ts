import type { DiscoveredDomain } from '../ports/index.js';
import type { Finding, LocalSide } from './finding.js';

/** Participants that belong to the other side: they have a topic that only the other side has. */
export function wrongSideFindings(
  local: LocalSide,
  { side, domainId, endpoints: others }: LocalSide,
  domain: DiscoveredDomain,
): Finding[] {
  const here = new Set(local.endpoints.map(({ topic }) => topic));
  const onlyThere = new Set(others.map(({ topic }) => topic).filter((topic) => !here.has(topic)));
  const participants = domain.participants.filter(({ endpoints }) =>
    endpoints.some(({ topic }) => onlyThere.has(topic)),
  );
  if (participants.length === 0) return [];
  const endpoints = new Map(
    participants
      .flatMap((participant) => participant.endpoints)
      .filter(({ topic }) => onlyThere.has(topic))
      .map(({ kind, topic }) => [`${kind} ${topic}`, { kind, topic }]),
  );
  return [
    {
      kind: 'wrongSide',
      domainId: local.domainId,
      side: local.side,
      other: { side, domainId },
      participants,
      endpoints: [...endpoints.values()],
    },
  ];
}

/** The participants of a domain that announced themselves at no address that this side reaches. */
export function unansweredFindings({
  domainId,
  unanswered = [],
}: Pick<DiscoveredDomain, 'domainId' | 'unanswered'>): Finding[] {
  return unanswered.length === 0 ? [] : [{ kind: 'unanswered', domainId, unanswered }];
}
