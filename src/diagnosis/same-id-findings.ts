import type { DiscoveredDomain } from '../ports/index.js';
import type { Finding, LocalSide } from './finding.js';

/** A ready signal and its sender. */
export interface ReadySignal {
  readonly sourceId: string;
  /** GUID prefix of the participant that sent it, 24 hex digits. */
  readonly guidPrefix: string;
}

/** The name of a middleware's participant is this prefix and its node id. */
export const middlewareNamePrefix = 'hlc-middleware/';

/** Ids that two participants of a side use: of controllers, or of middlewares. */
export function sameIdFindings(
  { side, domainId }: LocalSide,
  { participants }: DiscoveredDomain,
  signals: readonly ReadySignal[],
): Finding[] {
  const nodes = participants.flatMap(({ name, guidPrefix }) =>
    name?.startsWith(middlewareNamePrefix) === true
      ? [{ sourceId: name.slice(middlewareNamePrefix.length), guidPrefix }]
      : [],
  );
  const findings = (kind: 'sameControllerId' | 'sameNodeId', users: readonly ReadySignal[]) =>
    [...prefixesById(users)]
      .filter(([, prefixes]) => prefixes.size > 1)
      .map(([id, prefixes]) => ({
        kind,
        domainId,
        participants: participants.filter(({ guidPrefix }) => prefixes.has(guidPrefix)),
        guidPrefixes: [...prefixes],
        sourceIds: [id],
      }));
  return side === 'controller'
    ? [...findings('sameControllerId', signals), ...findings('sameNodeId', nodes)]
    : findings('sameNodeId', [...signals, ...nodes]);
}

function prefixesById(users: readonly ReadySignal[]): Map<string, Set<string>> {
  const byId = new Map<string, Set<string>>();
  for (const { sourceId, guidPrefix } of users) {
    byId.set(sourceId, (byId.get(sourceId) ?? new Set()).add(guidPrefix));
  }
  return byId;
}
