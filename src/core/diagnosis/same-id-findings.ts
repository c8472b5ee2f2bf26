import type { HeardDomain } from '../ports/index.js';
import { printable } from '../printable.js';
import { describeParticipants } from './describe-participant.js';
import type { Finding } from './finding.js';
import type { OurSide } from './our-side.js';

/** A ready signal, and who sent it. */
export interface HeardSignal {
  readonly sourceId: string;
  /** GUID prefix of its participant, 24 hex digits. */
  readonly guidPrefix: string;
}

/** With this begins the name of a middleware's participants; its node id follows. */
export const middlewareNamePrefix = 'hlc-middleware/';

/** Ids that two participants of a side use: of controllers, or of middlewares. */
export function sameIdFindings(
  { side, domainId }: OurSide,
  heard: HeardDomain,
  signals: readonly HeardSignal[],
): Finding[] {
  const users = new Map<string, Set<string>>();
  const note = (key: string, guidPrefix: string) =>
    users.set(key, (users.get(key) ?? new Set()).add(guidPrefix));
  const signalKind = side === 'controller' ? 'sameControllerId' : 'sameNodeId';
  for (const { sourceId, guidPrefix } of signals) note(`${signalKind} ${sourceId}`, guidPrefix);
  for (const { name, guidPrefix } of heard.participants) {
    if (name?.startsWith(middlewareNamePrefix) !== true) continue;
    note(`sameNodeId ${name.slice(middlewareNamePrefix.length)}`, guidPrefix);
  }
  return [...users].flatMap(([key, prefixes]) => {
    if (prefixes.size < 2) return [];
    const kind = key.startsWith('sameNodeId') ? 'sameNodeId' : 'sameControllerId';
    const id = key.slice(kind.length + 1);
    const who = heard.participants.filter(({ guidPrefix }) => prefixes.has(guidPrefix));
    const common = { kind, domainId, participants: [...prefixes], sourceIds: [id] } as const;
    const shown = printable(id);
    return kind === 'sameNodeId'
      ? [
          {
            ...common,
            what: `two middlewares have the node id "${shown}" on DDS domain ${domainId}: ${describeParticipants(who)}`,
            advice: 'end one of them, or give each a --node-id of its own',
          },
        ]
      : [
          {
            ...common,
            what: `two programs send the ready signal of "${shown}" on DDS domain ${domainId}: ${describeParticipants(who)}`,
            advice: 'end one of them, or give it the id of another vehicle',
          },
        ];
  });
}
